import type { Ran } from "../../features/tasks/runner.ts";
import { messageOf } from "../../platform/errors.ts";
import { oneLine } from "../../platform/text.ts";

export type Failed = Ran & { readonly result: "failed" };

/** A failure that trying again cannot help. */
export function hopeless(reason: string): Failed {
  return { result: "failed", reason, retry: false };
}

/** The end of a run that was told to stop. */
export function stopped(signal: AbortSignal): Failed {
  return { result: "failed", reason: whyStopped(signal) };
}

/** Why a run was told to stop, as its signal says. */
export function whyStopped({ reason }: AbortSignal): string {
  if (reason === undefined || reason instanceof DOMException) return "told to stop";
  return oneLine(messageOf(reason), 200) || "told to stop";
}
