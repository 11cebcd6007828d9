/** A command as it was typed. */
export interface CommandLine {
  /** In lower case. */
  readonly name: string;
  /** The bot that it names. */
  readonly bot?: string | undefined;
  /** The rest, as it was typed. */
  readonly text: string;
}

const slashed = /^\/([a-z\d_]{1,32})(?:@(\w{1,64}))?(?:\s+|$)/i;

/** Reads `/cmd@Bot text`. */
export function readCommand(typed: string): CommandLine | undefined {
  const line = typed.trim();
  const [head, name, bot] = slashed.exec(line) ?? [];
  if (head === undefined || name === undefined) return undefined;
  return { name: name.toLowerCase(), bot, text: line.slice(head.length) };
}

/** Reads `cmd text` with a known command: some chats keep the slash for themselves. */
export function readBareCommand(
  typed: string,
  isCommand: (name: string) => boolean,
): CommandLine | undefined {
  const line = typed.trim();
  const [first = ""] = line.split(/\s/, 1);
  const name = first.toLowerCase();
  return isCommand(name) ? { name, text: line.slice(first.length).trimStart() } : undefined;
}

/** The commands, in the order of the menu. */
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

/** Other names, typed without a slash too. */
const aliases: Readonly<Record<string, CommandName>> = {
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
  if (Object.hasOwn(aliases, typed)) return aliases[typed];
  return commandNames.find((name) => name === typed);
}
