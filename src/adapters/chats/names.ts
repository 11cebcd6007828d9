/** Everything that can be asked in a chat, in the order people read it. */
export const commandNames = [
  "remind",
  "nag",
  "every",
  "list",
  "snooze",
  "done",
  "cancel",
  "runs",
  "output",
  "answer",
  "timezone",
  "help",
  "start",
] as const;
export type CommandName = (typeof commandNames)[number];

/** Other words for the same, which are typed without a slash too. */
const others: Readonly<Record<string, CommandName>> = {
  link: "start",
  연결: "start",
  알림: "remind",
  재촉: "nag",
  반복: "every",
  목록: "list",
  미루기: "snooze",
  완료: "done",
  취소: "cancel",
  실행: "runs",
  출력: "output",
  답: "answer",
  시간대: "timezone",
  도움말: "help",
};

export function commandNamed(typed: string): CommandName | undefined {
  if (Object.hasOwn(others, typed)) return others[typed];
  return commandNames.find((name) => name === typed);
}
