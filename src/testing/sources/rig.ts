import type { TestContext } from "node:test";
import type { Source } from "../../features/events/source.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Json } from "../../platform/json.ts";

/** A clock that a test sets, for the service and the source; timers are real. */
export interface HandClock extends Clock {
  now: number;
}

/** A source under test, and its service. Each case has its own. */
export interface SourceRig {
  /** A new source over the same service, as after a restart. */
  make(): Source;
  /** Creates a new event now. Answers its name. */
  createEvent(): string | Promise<string>;
  /** Changes the newest item again now. Answers the name of this event. */
  changeAgain(): string | Promise<string>;
  /** Failures of the service by name, each until `calm`. A poll must fail with a sentence. */
  readonly faults: Readonly<Record<string, () => unknown>>;
  recover(): unknown;
  /** Loses the next answer after the service has handled the request. Absent: this cannot happen. */
  loseAnswer?(): unknown;
  /** Makes the next answer a rate limit for `busyMs`. */
  rateLimit?(): unknown;
  /** Adds an unreadable item. */
  unreadable(): unknown;
  /** The position of a cursor. Absent: cursors have no order. */
  positionOf?(cursor: Json): number;
}

export const busyMs = 2 * 60 * 60_000;

export type MakeSourceRig = (t: TestContext, clock: HandClock) => SourceRig | Promise<SourceRig>;
