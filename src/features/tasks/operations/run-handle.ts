import { DaybookError } from "../../../platform/errors.ts";
import type { Json } from "../../../platform/json.ts";

/** A run that was asked for. */
export interface RunHandle {
  readonly id: string;
  /** False: it had been asked before with the same key, and this is the first one. */
  readonly fresh: boolean;
  /** Waits for its end, and answers what the function returned. Throws when it did not complete. */
  result(options?: { signal?: AbortSignal }): Promise<Json>;
}

export interface RunOptions {
  /** When: "in 2 days", "tomorrow 9am", or a moment; at once when absent. */
  at?: string | number | Date;
  /** The same key asks for the same run once. */
  key?: string;
  /** Where what it says goes, as `channel:address`; the origin, or the owner's home or inbox, when absent. */
  target?: string;
  /** The chat or session it is asked in. */
  origin?: string;
}

/** How a run stands. */
export interface RunNow {
  readonly status: string;
  readonly reason: string | null;
  readonly result: unknown;
}

/** As it is typed. */
export function timeText(at: string | number | Date): string {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read: this writes a moment down
  return typeof at === "string" ? at : new Date(at).toISOString();
}

/** What a run returned; undefined while it has not ended. Throws when it ended in another way. */
export function returnedBy({ status, reason, result }: RunNow): { result: Json } | undefined {
  if (status === "pending" || status === "needs_human") return undefined;
  if (status === "completed") return { result: result as Json }; // it was kept as JSON
  const why = reason === null ? "" : ` (${reason})`;
  const sentence = `The run ended ${status}${why}: its output and explain say more.`;
  throw new DaybookError("ended", sentence, { details: { state: status, reason } });
}

const firstMs = 20;
const mostMs = 1_000;

/** Looks again and again, more and more seldom. */
export async function untilEnd(
  look: () => Promise<RunNow>,
  rest: (ms: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<Json> {
  for (let ms = firstMs; ; ms = Math.min(ms * 2, mostMs)) {
    signal?.throwIfAborted();
    const ended = returnedBy(await look());
    if (ended !== undefined) return ended.result;
    await rest(ms);
  }
}
