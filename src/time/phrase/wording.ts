/** The sentences of one language for times. */
export interface Wording {
  /** A local time; without seconds when `isWhole`. */
  moment(local: Temporal.ZonedDateTime, isWhole: boolean): string;
  sentence(parts: { when: string; zone: string; far: string; assumed: string | undefined }): string;
  readonly now: string;
  later(span: string): string;
  ago(span: string): string;
  /** The units, as written right after a number. */
  readonly units: Readonly<Record<"d" | "h" | "min" | "s" | "ms", string>>;
}

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const english: Wording = {
  moment(local, isWhole) {
    const date = `${days[local.dayOfWeek - 1]} ${local.day} ${months[local.month - 1]} ${local.year}`;
    return `${date} ${timeOf(local, isWhole)}`;
  },
  sentence: ({ when, zone, far, assumed }) =>
    `${when} ${zone} (${far}${assumed === undefined ? "" : `; ${assumed} assumed`})`,
  now: "now",
  later: (span) => `in ${span}`,
  ago: (span) => `${span} ago`,
  units: { d: " d", h: " h", min: " min", s: " s", ms: " ms" },
};

const korean: Wording = {
  moment(local, isWhole) {
    const day = "월화수목금토일".charAt(local.dayOfWeek - 1);
    const part = local.hour < 12 ? "오전" : "오후";
    const time = `${local.hour % 12 || 12}${timeOf(local, isWhole).slice(2)}`;
    return `${local.year}년 ${local.month}월 ${local.day}일 (${day}) ${part} ${time}`;
  },
  sentence: ({ when, zone, far, assumed }) =>
    `${when}, ${zone} (${far}${assumed === undefined ? "" : `, 기본 시각 ${assumed}`})`,
  now: "지금",
  later: (span) => `${span} 뒤`,
  ago: (span) => `${span} 전`,
  units: { d: "일", h: "시간", min: "분", s: "초", ms: "밀리초" },
};

export const wording: Readonly<Record<"en" | "ko", Wording>> = { en: english, ko: korean };

function timeOf(local: Temporal.ZonedDateTime, isWhole: boolean): string {
  return local.toPlainTime().toString({ smallestUnit: isWhole ? "minute" : "second" });
}
