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
