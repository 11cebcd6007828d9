import type { Ran, Job } from "../../features/tasks/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { oneLine } from "../../platform/text.ts";

export type Failed = Ran & { readonly result: "failed" };

/** A failure that a retry cannot help. */
export function finalFailure(reason: string): Failed {
  return { result: "failed", reason, retry: false };
}

/** The end of an aborted run. */
export function stopped(signal: AbortSignal): Failed {
  return { result: "failed", reason: stopReason(signal) };
}

/** The reason of an abort. */
export function stopReason({ reason }: AbortSignal): string {
  if (reason === undefined || reason instanceof DOMException) return "told to stop";
  return oneLine(messageOf(reason), 200) || "told to stop";
}

const charsMaxDefault = 4_096;

/** The end of a text in pieces: its last line that is not blank, or its last lines from `{` to `}`. */
export function lastLine(charsMax = charsMaxDefault): {
  add(text: string): void;
  line(): string;
  block(): string;
} {
  let tail = "";
  const line = (): string => tail.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return {
    add(text) {
      const all = `${tail}${text}`;
      const end = all.trimEnd();
      const gap = all.slice(end.length);
      tail = `${end}${gap.includes("\n") ? "\n" : gap}`.slice(-charsMax);
    },
    line,
    block: () => /(?:^|\n)(\{\n(?:(?!\{\n)[^\n]*\n)*\})$/.exec(tail.trimEnd())?.[1] ?? line(),
  };
}

/** The limit of a result. */
export const resultCharsMax = 64 * 1_024;

/** The text that may be a handler's result: all of it if it is JSON, also in a code block; else its last line. */
export function resultLine({ event }: Pick<Job, "event">, text: string): { lastLine?: string } {
  const plain = text.trim();
  if (event === undefined || plain.length > resultCharsMax) return {};
  const [, inBlock] = /```(?:json)?\s*(\{[^]*\})\s*```$/i.exec(plain) ?? [];
  const json = inBlock ?? (plain.startsWith("{") ? plain : undefined);
  return { lastLine: json ?? plain.split("\n").at(-1)?.trim() ?? "" };
}
