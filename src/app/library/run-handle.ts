import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";

/** A run that was requested. */
export interface RunHandle {
  readonly id: string;
  /** False: the key was used before, and this is the first run. */
  readonly fresh: boolean;
  /** Waits for the end and returns the result of the function. Throws when the run did not complete. */
  result(options?: { signal?: AbortSignal }): Promise<Json>;
}

export interface RunOptions {
  /** When: "in 2 days", "tomorrow 9am", or a moment. Default: at once. */
  at?: string | number | Date;
  /** Two requests with the same key make one run. */
  key?: string;
  /** Where its output is sent, as `channel:address`. Default: the origin, or the owner's home or inbox. */
  target?: string;
  /** The chat or session that requests it. */
  origin?: string;
}

/** The parts of a run that show whether it has ended. */
export interface RunStatus {
  readonly status: string;
  readonly reason: string | null;
  readonly result: unknown;
}

/** The time of a request as text. */
export function timeText(at: string | number | Date): string {
  // oxlint-disable-next-line no-restricted-globals -- reads no clock: it only formats a moment
  return typeof at === "string" ? at : new Date(at).toISOString();
}

/** The result of a completed run; undefined while it has not ended. Throws when it ended in another state. */
export function resultOf({ status, reason, result }: RunStatus): { result: Json } | undefined {
  if (status === "pending" || status === "needs_human") return undefined;
  if (status === "completed") return { result: result as Json }; // it was stored as JSON
  const why = reason === null ? "" : ` (${reason})`;
  const sentence = `The run ended ${status}${why}: see its output, or explain it.`;
  throw new DaybookError("ended", sentence, { details: { state: status, reason } });
}

const firstMs = 20;
const mostMs = 1_000;

/** Reads the run until it has ended, at growing intervals. */
export async function untilEnd(
  read: () => Promise<RunStatus>,
  sleep: (ms: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<Json> {
  for (let ms = firstMs; ; ms = Math.min(ms * 2, mostMs)) {
    signal?.throwIfAborted();
    const ended = resultOf(await read());
    if (ended !== undefined) return ended.result;
    await sleep(ms);
  }
}
