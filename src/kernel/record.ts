import type { Body, Kind, Outcome, State } from "./kinds.ts";

/** In the order of claiming. */
export const priorities = ["high", "normal", "low"] as const;
export type Priority = (typeof priorities)[number];

export interface LedgerRecord<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
  readonly owner: string;
  /** The principal who asked. */
  readonly by: string;
  readonly key: string | null;
  /** The record that caused this one. */
  readonly parent: string | null;
  readonly state: State<K>;
  readonly priority: Priority;
  /** Who may claim it: the kind, or `kind@name`. */
  readonly queue: string;
  /** What it queues behind: a destination, a session. */
  readonly lane: string | null;
  /** Rises with every edit, cancel and settle. */
  readonly revision: number;
  /** Claims since the last fresh start. */
  readonly attempt: number;
  /** Of these, attempts whose lease ran out, so that their fate is unknown. */
  readonly lapses: number;
  readonly body: Body<K>;
  readonly outcome: Outcome<K> | null;
  /** A cancel was asked while somebody was at work. */
  readonly cancelling: boolean;
  /** Its own time: what was asked for, before parking and leases; null when nobody must look. */
  readonly readyAt: number | null;
  /** When somebody must look at it next; null when nobody must. */
  readonly wakeAt: number | null;
  /** The newest lease, lapsed or not, until it is settled. */
  readonly lease: Lease | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
}

/** A record of some kind: testing `kind` tells which body it has. */
export type AnyRecord = { [K in Kind]: LedgerRecord<K> }[Kind];

interface Lease {
  readonly holder: string;
  /** Rises with every claim of the record and never restarts. */
  readonly fence: number;
  readonly claimedAt: number;
}

export type Claimed<K extends Kind = Kind> = LedgerRecord<K> & {
  readonly lease: Lease;
  /** When the lease lapses. */
  readonly wakeAt: number;
};
