import type { TestContext } from "node:test";
import type { Source } from "../../features/events/source.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Json } from "../../platform/json.ts";

/** Time in a test's hand, for whoever is asked and whoever asks; timers are real. */
export interface HandClock extends Clock {
  now: number;
}

/** A source under test, and the service that it asks. Made anew for every case. */
export interface SourceRig {
  /** A new one over the same service, as after a restart. */
  make(): Source;
  /** Something happens there, now, that has not happened before. Answers the name of its event. */
  happen(): string | Promise<string>;
  /** The newest thing happens once more, now, and counts once more. */
  again(): string | Promise<string>;
  /** Troubles of the service by name, each until `calm`. A poll must fail of each, with a sentence. */
  readonly troubles: Readonly<Record<string, () => unknown>>;
  calm(): unknown;
  /** The next answer is lost, though the service has done its part. Absent: there is no way to it. */
  lose?(): unknown;
  /** Asked once more it says that it wants to be left alone for `busyMs`. */
  busy?(): unknown;
  /** Something that cannot be read stands among what it tells. */
  junk(): unknown;
  /** How far a cursor is; absent: cursors have no order. */
  reach?(cursor: Json): number;
}

export const busyMs = 2 * 60 * 60_000;

export type MakeSourceRig = (t: TestContext, clock: HandClock) => SourceRig | Promise<SourceRig>;
