import type { Reader } from "../../kernel/operation.ts";
import type { Language } from "../../platform/language.ts";
import { harmless } from "../../platform/text.ts";
import { zonedTime } from "./moment-view.ts";

/** The labels of the rows of a record, in the order of English and Korean. */
const labels = {
  name: ["name", "이름"],
  state: ["state", "상태"],
  why: ["why", "이유"],
  waits: ["waits for", "기다리는 것"],
  due: ["due", "예정 시각"],
  sent_at: ["sent at", "보낼 시각"],
  ended: ["ended", "끝난 시각"],
  target: ["target", "대상"],
  typed: ["time as typed", "입력한 시각"],
  runs: ["runs", "실행 내용"],
  when: ["when", "실행 시각"],
  next: ["next", "다음"],
  last: ["last runs", "최근 실행"],
  failures: ["failures", "실패"],
  warning: ["warning", "경고"],
  output: ["output", "출력"],
  missed: ["if missed", "놓쳤을 때"],
  overlap: ["if it overlaps", "겹칠 때"],
  timeout: ["timeout", "제한 시간"],
  budget: ["budget", "예산"],
  curve: ["curve", "간격"],
  sent: ["sent", "보낸 횟수"],
  page: ["page", "페이지"],
  type: ["type", "종류"],
  priority: ["priority", "우선순위"],
  expires: ["expires", "만료"],
  once: ["delivery", "전달 방식"],
  collapse: ["collapse key", "묶음 키"],
  context: ["context", "배경 설명"],
  task: ["related task", "관련 작업"],
  question: ["question", "질문"],
  answer: ["to answer", "답하려면"],
  attempts: ["attempts", "시도"],
  receipt: ["receipt", "수신 확인"],
  schedule: ["schedule", "예약"],
  slot: ["slot", "예정 시각"],
  event: ["event", "이벤트"],
  handler: ["handler", "처리기"],
  tasks: ["tasks", "작업"],
  messages: ["messages", "알림"],
  input: ["input", "입력"],
  result: ["result", "결과"],
  started: ["started", "시작"],
  exit: ["exit status", "종료 코드"],
  cost: ["cost", "비용"],
  turns: ["turns", "턴 수"],
  progress: ["progress", "진행"],
  origin: ["requested in", "요청한 곳"],
  source: ["source", "소스"],
  repo: ["repository", "저장소"],
  payload: ["payload", "내용"],
  image: ["image", "이미지"],
  machine: ["machine", "머신"],
  desired: ["should be", "목표 상태"],
  used: ["last used", "마지막 사용"],
  idle: ["when idle", "쓰지 않을 때"],
  archive: ["archive", "보관 파일"],
  error: ["error", "오류"],
  observed: ["observed", "관찰"],
  description: ["description", "설명"],
  memo: ["memo", "메모"],
  created: ["created", "만든 사람"],
} as const satisfies Readonly<Record<string, readonly [en: string, ko: string]>>;

export type SheetLabel = keyof typeof labels;

/** A label and its value. A value of several lines continues below; null and no lines are left out. */
export type SheetRow = readonly [SheetLabel, string | null | readonly string[]];

/** One record for people: a headline, its rows in two columns, and a long text below. */
export function renderSheet(
  headline: string,
  rows: readonly SheetRow[],
  { language }: Pick<Reader, "language">,
  text: string | null = null,
): string {
  const shown = rows.flatMap(([name, value]) => {
    const lines = (typeof value === "string" ? [value] : (value ?? [])).flatMap((each) =>
      each.split("\n"),
    );
    return lines.map((line, index) => [index === 0 ? labelOf(name, language) : "", line] as const);
  });
  const width = Math.max(0, ...shown.map(([label]) => widthOf(label)));
  const lines = shown.map(([label, line]) => {
    return `  ${label}${" ".repeat(width - widthOf(label))}  ${line}`.trimEnd();
  });
  return [headline, ...lines, ...(text === null ? [] : ["", text])].join("\n");
}

/** Who created it, and when. */
export function createdRow(
  { created_by: by, created_at: at }: { created_by: string; created_at: string },
  reader: Reader,
): SheetRow {
  return ["created", `${by}, ${zonedTime(at, reader)}`];
}

/** A time of an answer; null: it has none. */
export function timeRow(name: SheetLabel, at: string | null, reader: Reader): SheetRow {
  return [name, at === null ? null : zonedTime(at, reader)];
}

/** A value of any shape, whole. */
export function jsonRow(name: SheetLabel, value: unknown): SheetRow {
  if (value == null) return [name, null];
  return [
    name,
    harmless(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")),
  ];
}

function labelOf(name: SheetLabel, language: Language): string {
  return labels[name][language === "ko" ? 1 : 0];
}

/** Hangul takes two columns of a terminal. */
function widthOf(label: string): number {
  return Array.from(label).length + (label.match(/[\uAC00-\uD7A3]/gu)?.length ?? 0);
}
