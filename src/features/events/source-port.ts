import type { Json } from "../../platform/json.ts";
import type { Polled } from "./poll-result.ts";

/**
 * Somewhere that is asked what happened.
 *
 * An answer may be lost and a node may die before what was heard is written, so that a poll must be safe to
 * repeat: the same cursor gives at least the same events, under the same names. Nothing that would
 * make the service forget them may be done before the cursor comes back: only then are they written.
 */
export interface Source {
  /** `github`: what its events say they come from, and what their names begin with. */
  readonly name: string;
  /**
   * What happened after the cursor; null: nobody has asked before. Throws a `DaybookError` whose sentence says what
   * to do; `details.restMs` is how long the service wants to be left alone.
   */
  poll(cursor: Json, desk: PollDesk): Promise<Polled>;
}

export interface PollDesk {
  /** Aborts when the answer is of no use any more. */
  readonly signal: AbortSignal;
}
