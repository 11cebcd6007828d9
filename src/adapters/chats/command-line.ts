/** A command as it was typed. */
export interface CommandLine {
  /** In small letters. */
  readonly name: string;
  /** The bot it is for, when one is named. */
  readonly bot?: string;
  /** What follows, as it was typed. */
  readonly words: string;
}

const slashed = /^\/([a-z\d_]{1,32})(?:@(\w{1,64}))?(?:\s+|$)/i;

/** Reads `/cmd@Bot words`. */
export function readCommand(said: string): CommandLine | undefined {
  const text = said.trim();
  const [head, name, bot] = slashed.exec(text) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const words = text.slice(head.length);
  return { name: name.toLowerCase(), ...(bot === undefined ? {} : { bot }), words };
}

/** Reads `cmd words`, where the first word is one of these: some chats keep the slash for themselves. */
export function readBareCommand(
  said: string,
  names: (name: string) => boolean,
): CommandLine | undefined {
  const text = said.trim();
  const [first = ""] = text.split(/\s/, 1);
  const name = first.toLowerCase();
  return names(name) ? { name, words: text.slice(first.length).trimStart() } : undefined;
}

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
