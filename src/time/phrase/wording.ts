import { withParticle } from "../../platform/particle.ts";
import type { Clock } from "./clock.ts";

/** What was assumed of an incomplete time. */
export interface Guess {
  /** The part that was assumed, such as "09:00" for "tomorrow". */
  readonly assumed?: string | undefined;
  /** What to write for the other half of the day, such as "3 am" where 15:00 was assumed. */
  readonly instead?: string | undefined;
}

/** The sentences of one language for times. */
export interface Wording {
  /** A local time; without seconds when `isWhole`. */
  moment(local: Temporal.ZonedDateTime, isWhole: boolean): string;
  /** A time of the half of the day that it names. */
  clock(clock: Clock): string;
  /** `guess` is empty or from `guess()`. */
  sentence(parts: { when: string; zone: string; far: string; guess: string }): string;
  guess(assumed: string, instead: string | undefined): string;
  /** A local time without what it has in common with today. */
  near(local: Temporal.ZonedDateTime, today: Temporal.ZonedDateTime): string;
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
  near(local, today) {
    const time = timeOf(local, true);
    if (isSameDay(local, today)) return time;
    const date = `${days[local.dayOfWeek - 1]} ${local.day} ${months[local.month - 1]}`;
    return local.year === today.year ? `${date} ${time}` : `${date} ${local.year} ${time}`;
  },
  clock({ hour, minute, second }) {
    const seconds = second === 0 ? "" : `:${two(second)}`;
    const rest = minute + second === 0 ? "" : `:${two(minute)}${seconds}`;
    return `${hour % 12 || 12}${rest} ${hour < 12 ? "am" : "pm"}`;
  },
  sentence: ({ when, zone, far, guess }) =>
    `${when} ${zone} (${far}${guess === "" ? "" : `; ${guess}`})`,
  guess(assumed, instead) {
    if (instead === undefined) return `${assumed} assumed`;
    const half = instead.endsWith("am") ? "morning" : "evening";
    return `${assumed} assumed; write ${instead} for the ${half}`;
  },
  now: "now",
  later: (span) => `in ${span}`,
  ago: (span) => `${span} ago`,
  units: { d: " d", h: " h", min: " min", s: " s", ms: " ms" },
};

const korean: Wording = {
  moment: (local, isWhole) => `${local.year}년 ${koreanDay(local)} ${koreanTime(local, isWhole)}`,
  near(local, today) {
    const time = koreanTime(local, true);
    if (isSameDay(local, today)) return time;
    const date = koreanDay(local);
    return local.year === today.year ? `${date} ${time}` : `${local.year}년 ${date} ${time}`;
  },
  clock({ hour, minute, second }) {
    const rest = minute + second === 0 ? "" : ` ${minute}분`;
    const seconds = second === 0 ? "" : ` ${second}초`;
    return `${hour < 12 ? "오전" : "오후"} ${hour % 12 || 12}시${rest}${seconds}`;
  },
  sentence: ({ when, zone, far, guess }) =>
    `${when}, ${zone} (${far}${guess === "" ? "" : `, ${guess}`})`,
  guess(assumed, instead) {
    if (instead === undefined) return `기본 시각 ${assumed}`;
    return `읽은 시각 ${assumed}, ${withParticle(instead.slice(0, 2), "이라면/라면")} "${instead}"처럼 쓰세요`;
  },
  now: "지금",
  later: (span) => `${span} 뒤`,
  ago: (span) => `${span} 전`,
  units: { d: "일", h: "시간", min: "분", s: "초", ms: "밀리초" },
};

export const wording: Readonly<Record<"en" | "ko", Wording>> = { en: english, ko: korean };

function two(part: number): string {
  return String(part).padStart(2, "0");
}

function koreanDay({ month, day, dayOfWeek }: Temporal.ZonedDateTime): string {
  return `${month}월 ${day}일 (${"월화수목금토일".charAt(dayOfWeek - 1)})`;
}

function koreanTime(local: Temporal.ZonedDateTime, isWhole: boolean): string {
  const part = local.hour < 12 ? "오전" : "오후";
  return `${part} ${local.hour % 12 || 12}${timeOf(local, isWhole).slice(2)}`;
}

function isSameDay(local: Temporal.ZonedDateTime, today: Temporal.ZonedDateTime): boolean {
  return local.toPlainDate().equals(today.toPlainDate());
}

function timeOf(local: Temporal.ZonedDateTime, isWhole: boolean): string {
  return local.toPlainTime().toString({ smallestUnit: isWhole ? "minute" : "second" });
}
