import type { End, Live, Outcome, Shape } from "./shape.ts";
import type { Consequences, Hold } from "./unit.ts";

/** The time and the random fraction for a decision. */
export interface Facts {
  readonly now: number;
  readonly jitter: number;
}

/** The outcome of an attempt and the next state of the record. Rules decide it; it names no lease. */
export type Verdict<K extends Shape> =
  | WrittenVerdict<K>
  | (K extends { levelTriggered: true } ? Unchanged : never);

/** A verdict that is written to the record and its history. */
export type WrittenVerdict<K extends Shape> = {
  /** Moves the record to another queue. */
  queue?: string | undefined;
  outcome?: Outcome<K> | undefined;
  /** Replaces the names the record holds. An end releases them all. */
  holds?: readonly Hold[] | undefined;
  note?: string | undefined;
  consequences?: Consequences | undefined;
} & (
  | { ends: End<K> }
  | {
      state: Live<K>;
      /** Clamped to now; absent: it is not due until an edit or a wake. */
      wakeAt?: number | undefined;
      /** The next claim is attempt 1 again. */
      freshStart?: boolean | undefined;
    }
);

/** Nothing has changed: observe again at that time. No history row is written, and the attempt does not count. */
export interface Unchanged {
  unchanged: number;
  /** Such a verdict writes nothing else. */
  queue?: undefined;
  outcome?: undefined;
  holds?: undefined;
  note?: undefined;
  consequences?: undefined;
}
