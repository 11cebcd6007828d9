import type { Kind } from "./kind.ts";
import { invalidCursor } from "./ledger-errors.ts";
import type { LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";

export interface ListQuery<K extends Shape = Shape> {
  kind?: Kind<K> | undefined;
  state?: string | undefined;
  parent?: string | undefined;
  /** Only records whose id starts with this. */
  idPrefix?: string | undefined;
  /** True: only records without an end. False: only records with one. */
  live?: boolean | undefined;
  order?: "oldest" | "newest" | undefined;
  /** `Page.next` of the page before. */
  after?: string | undefined;
  limit?: number | undefined;
}

export interface Page<K extends Shape = Shape> {
  readonly records: readonly LedgerRecord<K>[];
  /** Where the next page starts; null on the last page. */
  readonly next: string | null;
}

/** Records with a due row in a queue. */
export interface QueueQuery {
  queue: string;
  /** `Page.next` of the page before. */
  after?: string | undefined;
  limit?: number | undefined;
}

export interface ChangesQuery {
  /** Only this record's history. */
  id?: string | undefined;
  /** `Changes.cursor` of the call before. */
  after?: string | undefined;
  limit?: number | undefined;
}

export interface Changes {
  readonly changes: readonly Change[];
  readonly cursor: string;
}

/** One visible change. Claims and lease renewals are not visible. */
export interface Change {
  readonly id: string;
  readonly kind: string;
  /**
   * `kept`: an outcome was patched under a lease. `lapsed`: another took over a lease that had run
   * out, so that attempt's result is unknown. `settled`: a lease ended (in whatever state).
   */
  readonly what: "appended" | "edited" | "kept" | "lapsed" | "settled" | "cancelling" | "cancelled";
  readonly state: string;
  readonly revision: number;
  readonly attempt: number;
  readonly at: number;
  /** The principal, or the holder of the lease. */
  readonly by: string;
  /** The time of the claim of the attempt that this change ends. */
  readonly claimedAt: number | null;
  readonly note: string | null;
}

export interface ReadQuery {
  id: string;
  stream: string;
  offset: number;
  limit: number;
}

export interface Chunk {
  readonly bytes: Uint8Array;
  /** The size of the complete stream. */
  readonly size: number;
}

export interface Stats {
  readonly now: number;
  readonly records: number;
  readonly queues: readonly QueueStats[];
}

export interface QueueStats {
  readonly queue: string;
  /** Waiting, with a wake time that has passed. */
  readonly due: number;
  /** Waiting for a later time. */
  readonly later: number;
  /** Leased and not lapsed. */
  readonly leased: number;
  /** The oldest wake time that has passed. */
  readonly oldestWakeAt: number | null;
}

const pageMax = 500;

export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? 50, pageMax);
}

/** A cursor that an earlier page gave. */
export function parseCursor(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw invalidCursor(after);
}
