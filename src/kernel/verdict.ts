import type { End, Live, Outcome, Shape } from "./shape.ts";
import type { Consequences, Hold } from "./unit.ts";

/** What the time and chance were when a rule was asked. */
export interface Facts {
  readonly now: number;
  readonly jitter: number;
}

/** What was seen, and where that leaves the record. Rules decide it; it names no lease. */
export type Verdict<K extends Shape> =
  | WrittenVerdict<K>
  | (K extends { levelTriggered: true } ? Unchanged : never);

/** One that the record and its history show. */
export type WrittenVerdict<K extends Shape> = {
  /** Another queue from now on. */
  queue?: string | undefined;
  outcome?: Outcome<K> | undefined;
  /** Replaces the names the record holds. An end frees them all. */
  holds?: readonly Hold[] | undefined;
  note?: string | undefined;
  consequences?: Consequences | undefined;
} & (
  | { ends: End<K> }
  | {
      state: Live<K>;
      /** Clamped to now; absent: nobody must look until an edit or a wake. */
      wakeAt?: number | undefined;
      /** The next claim is attempt 1 again. */
      freshStart?: boolean | undefined;
    }
);

/** Nothing has changed: look again then. No history row, and the attempt does not count. */
export interface Unchanged {
  unchanged: number;
  /** What it would say beside that would be lost. */
  queue?: undefined;
  outcome?: undefined;
  holds?: undefined;
  note?: undefined;
  consequences?: undefined;
}
