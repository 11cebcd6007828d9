import type { Sent } from "./receipt.ts";

/** The answer of a channel that was told to stop while nothing had gone out. */
export function stopped(when = "before anything was sent"): Sent {
  return { result: "retry", reason: `told to stop ${when}` };
}
