import type { Kind } from "./kind.ts";
import type { AnyRecord, LedgerRecord, Priority } from "./record.ts";
import type { Body, End, Live, Outcome, Shape } from "./shape.ts";

/** A name that only one live record may have. Limits, overlap rules and singletons are holds. */
export type Hold = string | { readonly oneOf: readonly string[] };

/** The queue, the lane and the priority of a record. */
export interface Placement {
  priority?: Priority | undefined;
  queue?: string | undefined;
  lane?: string | null | undefined;
}

/** A draft of any kind: its type was checked where it was created, so that a list may mix kinds. */
export type Draft = DraftOf<Shape>;

export type DraftOf<K extends Shape> = Placement & {
  kind: K["name"];
  /** The draft's kind, in types alone. */
  readonly "~shape"?: K;
  body: Body<K>;
  outcome?: Outcome<K> | undefined;
  /** Created by the store when absent. Give one to repeat the call safely after a lost answer. */
  id?: string | undefined;
  key?: Key | undefined;
  /** Default: the record whose unit writes this one. Null: no parent. */
  parent?: string | null | undefined;
  /** The names the record holds; refused if another live record holds one. */
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
  /** The request that the key stands for. Default: the body. */
  asked?: unknown;
  /** The key outlives a pruned record until then. Absent: it is deleted with the record. */
  until?: number | undefined;
}

/** Writes of a unit besides its own record. They have the same owner. */
export interface Consequences {
  append?: readonly Draft[] | undefined;
  edit?: readonly Edit[] | undefined;
  cancel?: readonly Cancel[] | undefined;
  wake?: readonly Wake[] | undefined;
}

export type Edit = EditOf<Shape>;

export type EditOf<K extends Shape> = Placement & {
  kind: K["name"];
  /** The edit's kind, in types alone. */
  readonly "~shape"?: K;
  id: string;
  /** Refused as `stale` unless the record has this revision. */
  ifRevision?: number | undefined;
  /** The complete new body. */
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

/** Whether a draft of any kind is of this kind. */
export function isDraft<S extends Shape>(kind: Kind<S>, draft: Draft): draft is DraftOf<S> {
  return draft.kind === kind.name;
}

/** Whether an edit of any kind is of this kind. */
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
  /** False: the key was used before for the same request, and this is the first record. */
  readonly fresh: boolean;
  readonly id: string;
  /** Null when the first record has been pruned. */
  readonly record: LedgerRecord<K> | null;
}

export interface Cancelled {
  /** `ended`: it had ended before, see `record.state`; nothing was written. */
  readonly result: "cancelled" | "cancelling" | "ended";
  readonly record: AnyRecord;
}

/** The owner of the book, and the principal. */
export interface Actor {
  owner: string;
  by: string;
}
