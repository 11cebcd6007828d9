import type { Body, Outcome, State, Shape } from "./shape.ts";

/** In the order of claiming. */
export const priorities = ["high", "normal", "low"] as const;
export type Priority = (typeof priorities)[number];

export interface LedgerRecord<K extends Shape = Shape> {
  readonly kind: K["name"];
  readonly id: string;
  readonly owner: string;
  /** The principal who created it. */
  readonly by: string;
  readonly key: string | null;
  /** The record that caused this one. */
  readonly parent: string | null;
  readonly state: State<K>;
  readonly priority: Priority;
  /** The queue it is claimed from: the kind, or `kind@name`. */
  readonly queue: string;
  /** The destination or session whose records are handled in turn. */
  readonly lane: string | null;
  /** Rises with every edit, cancel and settle. */
  readonly revision: number;
  /** Claims since the last fresh start. */
  readonly attempt: number;
  /** How many of these attempts let their lease lapse, so that their result is unknown. */
  readonly lapses: number;
  readonly body: Body<K>;
  readonly outcome: Outcome<K> | null;
  /** A cancel was requested while the record was leased. */
  readonly cancelling: boolean;
  /** Its own due time, before parking and leases; null when it is not due at any time. */
  readonly readyAt: number | null;
  /** When it can be claimed next; null when it is not due at any time. */
  readonly wakeAt: number | null;
  /** The newest lease, lapsed or not, until it is settled. */
  readonly lease: Lease | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
}

/** A record of any kind: `is(nagKind, record)` narrows it. */
export type AnyRecord = LedgerRecord;

interface Lease {
  readonly holder: string;
  /** Rises with every claim of the record and never restarts. */
  readonly fence: number;
  readonly claimedAt: number;
}

export type Claimed<K extends Shape = Shape> = LedgerRecord<K> & {
  readonly lease: Lease;
  /** When the lease lapses. */
  readonly wakeAt: number;
};
