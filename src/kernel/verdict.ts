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
  queue?: string;
  outcome?: Outcome<K>;
  /** Replaces the names the record holds. An end frees them all. */
  holds?: readonly Hold[];
  note?: string;
  consequences?: Consequences;
} & (
  | { ends: End<K> }
  | {
      state: Live<K>;
      /** Clamped to now; absent: nobody must look until an edit or a wake. */
      wakeAt?: number;
      /** The next claim is attempt 1 again. */
      freshStart?: boolean;
    }
);

/** Nothing has changed: look again then. No history row, and the attempt does not count. */
export interface Unchanged {
  unchanged: number;
  /** What it would say beside that would be lost. */
  queue?: never;
  outcome?: never;
  holds?: never;
  note?: never;
  consequences?: never;
}
