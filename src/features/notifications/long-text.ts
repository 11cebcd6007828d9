import type { Claimed } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { Channel } from "./channel.ts";
import type { NotificationKind } from "./kind.ts";
import type { OutputReader } from "./ports.ts";

/** The text of a notification: on a channel that takes long texts, the complete output of its run. */
export function longTexts({
  channels,
  readOutput,
}: {
  readonly channels: readonly Channel[];
  readonly readOutput?: OutputReader | undefined;
}): (record: Claimed<NotificationKind>) => Promise<string> {
  const long = new Set(channels.filter(({ takesLong }) => takesLong).map(({ name }) => name));
  return async (record) => {
    const { message, outputUnits, target } = record.body;
    if (outputUnits === undefined || !long.has(parseTarget(target).channel)) return message;
    const head = message.slice(0, outputUnits);
    // After it stands a command of the terminal, which helps nobody in a chat.
    return continued(head, (await readOutput?.(record)) ?? "") ?? `${head}\n…`;
  };
}

/** The output from where its message begins: after earlier attempts, or as their result. Undefined: it is not there. */
export function continued(head: string, output: string): string | undefined {
  const plain = output.trimEnd().toWellFormed().replaceAll("\0", "\uFFFD");
  const lines = [...plain.matchAll(/^--- (?:attempt \d+|result) ---\n/gm)];
  const starts = [...lines.map(({ 0: line, index }) => index + line.length).toReversed(), 0];
  const start = starts.find((each) => plain.startsWith(head, each));
  return start === undefined ? undefined : plain.slice(start);
}
