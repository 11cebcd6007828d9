import type { Ran, Job } from "../../features/tasks/runner.ts";
import { messageOf } from "../../platform/errors.ts";
import { oneLine } from "../../platform/text.ts";

export type Failed = Ran & { readonly result: "failed" };

/** A failure that trying again cannot help. */
export function finalFailure(reason: string): Failed {
  return { result: "failed", reason, retry: false };
}

/** The end of a run that was told to stop. */
export function stopped(signal: AbortSignal): Failed {
  return { result: "failed", reason: stopReason(signal) };
}

/** Why a run was told to stop, as its signal says. */
export function stopReason({ reason }: AbortSignal): string {
  if (reason === undefined || reason instanceof DOMException) return "told to stop";
  return oneLine(messageOf(reason), 200) || "told to stop";
}

const charsMaxDefault = 4_096;

/** Remembers the last line with something on it, of a text that comes in pieces. */
export function lastLine(charsMax = charsMaxDefault): { hear(text: string): void; line(): string } {
  let tail = "";
  return {
    hear(text) {
      const all = `${tail}${text}`;
      const end = all.trimEnd();
      const gap = all.slice(end.length);
      tail = `${end}${gap.includes("\n") ? "\n" : gap}`.slice(-charsMax);
    },
    line: () => tail.trimEnd().split("\n").at(-1)?.trim() ?? "",
  };
}

/** A result is not longer. */
export const resultCharsMax = 64 * 1_024;

/** What may be the result of a handler's task: all of a text that is JSON, also in a block; else its last line. */
export function resultLine({ event }: Pick<Job, "event">, text: string): { lastLine?: string } {
  const plain = text.trim();
  if (event === undefined || plain.length > resultCharsMax) return {};
  const [, inBlock] = /```(?:json)?\s*(\{[^]*\})\s*```$/i.exec(plain) ?? [];
  const json = inBlock ?? (plain.startsWith("{") ? plain : undefined);
  return { lastLine: json ?? plain.split("\n").at(-1)?.trim() ?? "" };
}
