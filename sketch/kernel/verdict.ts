import type { Shape } from "./record.ts";
import type { Consequences, Hold } from "./unit.ts";

/** Where what was seen leaves the record. Rules decide it; it names no lease. */
export type Verdict<S extends Shape = Shape> =
  | WrittenVerdict<S>
  | (true extends S["levelTriggered"] ? Unchanged : never);

/** One that the record and its history show. */
export type WrittenVerdict<S extends Shape = Shape> = {
  readonly queue?: string | undefined;
  readonly outcome?: S["outcome"] | undefined;
  /** Replaces the names the record holds. An end frees them all. */
  readonly holds?: readonly Hold[] | undefined;
  readonly note?: string | undefined;
  readonly consequences?: Consequences | undefined;
} & (
  | { readonly ends: S["end"] }
  | {
      readonly state: S["live"];
      /** Absent: nobody must look until an edit or a wake. */
      readonly wakeAt?: number | undefined;
      /** The next claim is attempt 1 again. */
      readonly freshStart?: boolean | undefined;
    }
);

/** Nothing has changed: observe it again then. No history, and the attempt does not count. */
export interface Unchanged {
  readonly unchanged: number;
}
