import type { Change } from "./reading.ts";

/** Who acts on whose records, and when: the store's clock, read once per call. */
export interface Act {
  readonly owner: string;
  readonly by: string;
  readonly now: number;
}

/** What a change row says beside the record. */
export interface Note {
  readonly what: Change["what"];
  readonly by: string;
  readonly at: number;
  readonly claimedAt?: number | null;
  readonly note?: string | undefined;
}
