import type { Kind } from "./kind.ts";
import type { AnyRecord, LedgerRecord, Priority } from "./record.ts";
import type { Body, End, Live, Outcome, Shape } from "./shape.ts";

/** A name that only one live record may have: how every limit, overlap rule and singleton is held. */
export type Hold = string | { readonly oneOf: readonly string[] };

/** Which controller claims a record, and in which order. */
export interface Placement {
  priority?: Priority | undefined;
  queue?: string | undefined;
  lane?: string | null | undefined;
}

/** A draft of some kind: each was checked where it was made, so that a list may mix them. */
export type Draft = DraftOf<Shape>;

export type DraftOf<K extends Shape> = Placement & {
  kind: K["name"];
  /** In types alone: what the draft is of. */
  readonly "~shape"?: K;
  body: Body<K>;
  outcome?: Outcome<K> | undefined;
  /** Made by the store when absent. Give one to repeat the call safely after a lost answer. */
  id?: string | undefined;
  key?: Key | undefined;
  /** The record this one follows from when absent; null: it follows from none. */
  parent?: string | null | undefined;
  /** From now on the record has these names; refused if another live record has one. */
  holds?: readonly Hold[] | undefined;
  note?: string | undefined;
} & (
    | {
        state: Live<K>;
        /** Clamped to now; absent: it is not due. */ wakeAt?: number | undefined;
      }
    | { ends: End<K> }
  );

export interface Key {
  name: string;
  /** What the key stands for when that is not the body (such as the words that were typed). */
  asked?: unknown;
  /** The key outlives a pruned record until then. Absent: it goes with the record. */
  until?: number | undefined;
}

/** What a unit writes besides its own record. The owner is inherited. */
export interface Consequences {
  append?: readonly Draft[] | undefined;
  edit?: readonly Edit[] | undefined;
  cancel?: readonly Cancel[] | undefined;
  wake?: readonly Wake[] | undefined;
}

export type Edit = EditOf<Shape>;

export type EditOf<K extends Shape> = Placement & {
  kind: K["name"];
  /** In types alone: what the edit is of. */
  readonly "~shape"?: K;
  id: string;
  /** Refused as `stale` unless the record is in this revision. */
  ifRevision?: number | undefined;
  /** The whole new body. */
  body?: Body<K> | undefined;
  outcome?: Outcome<K> | undefined;
  /** Replaces the names the record holds. */
  holds?: readonly Hold[] | undefined;
  note?: string | undefined;
} & (
    | {
        state?: Live<K> | undefined;
        /** Ignored while leased; null: it is not due. */ wakeAt?: number | null | undefined;
      }
    | { /** Refused as `leased` while the record is leased. */ ends: End<K> }
  );

/** Whether a draft of unknown kind is one of this kind. */
export function isDraft<S extends Shape>(kind: Kind<S>, draft: Draft): draft is DraftOf<S> {
  return draft.kind === kind.name;
}

/** Whether an edit of unknown kind is one of this kind. */
export function isEdit<S extends Shape>(kind: Kind<S>, edit: Edit): edit is EditOf<S> {
  return edit.kind === kind.name;
}

export interface Cancel {
  id: string;
  reason?: string | undefined;
}

/** Makes a live record due now. One that is leased is due again as soon as it is settled. */
export interface Wake {
  id: string;
}

export interface Appended<K extends Shape = Shape> {
  /** False: the key was taken by the same body, and this is the first record. */
  readonly fresh: boolean;
  readonly id: string;
  /** Null when the first record has been pruned. */
  readonly record: LedgerRecord<K> | null;
}

export interface Cancelled {
  /** `ended`: it had reached its end before, see `record.state`; nothing was written. */
  readonly result: "cancelled" | "cancelling" | "ended";
  readonly record: AnyRecord;
}

/** Who acts: whose book, and which principal. */
export interface Who {
  owner: string;
  by: string;
}
