import type { Change } from "./query.ts";

/** The owner, the principal and the time of a write; the store's clock is read once per call. */
export interface WriteContext {
  readonly owner: string;
  readonly by: string;
  readonly now: number;
}

/** The fields of a change row that are not the record's. */
export interface ChangeFields {
  readonly what: Change["what"];
  readonly by: string;
  readonly at: number;
  readonly claimedAt?: number | null;
  readonly note?: string | undefined;
}
