import type { Kind } from "./kind.ts";
import type { LedgerRecord, Priority, Shape } from "./record.ts";

/** Exists in types alone: what has it was checked against its kind by `draft` or `edit`. */
export declare const checkedAs: unique symbol;
interface CheckedAs<S extends Shape> {
  readonly [checkedAs]: S;
}

/** A name that only one live record may have; one of several, where a limit is more than one. */
export type Hold = string | { readonly oneOf: readonly string[] };

interface Placement {
  readonly priority?: Priority | undefined;
  /** The kind, or `kind@name`. */
  readonly queue?: string | undefined;
  readonly lane?: string | null | undefined;
  readonly holds?: readonly Hold[] | undefined;
  readonly note?: string | undefined;
}

/** What a new record is to be. `undefined` stands for absent everywhere in it: no conditional spreads. */
export type NewRecord<S extends Shape> = Placement & {
  readonly body: S["body"];
  readonly outcome?: S["outcome"] | undefined;
  readonly id?: string | undefined;
  readonly key?: Key | undefined;
  /** Absent: the record whose unit this is part of. Null: none. */
  readonly parent?: string | null | undefined;
  /** Whatever write ends the record wakes its parent. */
  readonly wakesParent?: boolean | undefined;
} & (
    | { readonly state: S["live"]; readonly wakeAt?: number | undefined }
    | { readonly ends: S["end"] }
  );

export interface Key {
  readonly name: string;
  /** What the key stands for when that is not the body. */
  readonly input?: unknown;
}

export type DraftOf<S extends Shape> = NewRecord<S> & CheckedAs<S> & { readonly kind: S["name"] };

/** A draft of some kind: each was checked where it was made, so a list may mix them. */
export type Draft = DraftOf<Shape>;

/** The only way to make a draft: by its kind, which also says what follows from the body. */
export function draft<S extends Shape>(kind: Kind<S>, record: NewRecord<S>): DraftOf<S> {
  const lane = kind.lane?.(record.body);
  return plain({ lane, ...record, kind: kind.name }) as DraftOf<S>;
}

export type Change<S extends Shape> = Placement & {
  readonly id: string;
  readonly ifRevision?: number | undefined;
  readonly body?: S["body"] | undefined;
  readonly outcome?: S["outcome"] | undefined;
} & (
    | { readonly state?: S["live"] | undefined; readonly wakeAt?: number | null | undefined }
    | { readonly ends: S["end"] }
  );

export type EditOf<S extends Shape> = Change<S> & CheckedAs<S> & { readonly kind: S["name"] };
export type Edit = EditOf<Shape>;

export function edit<S extends Shape>(kind: Kind<S>, change: Change<S>): EditOf<S> {
  return plain({ ...change, kind: kind.name }) as EditOf<S>;
}

export interface Cancel {
  readonly id: string;
  readonly reason?: string;
}

/** What a unit writes besides its own record. The owner is inherited. */
export interface Consequences {
  readonly append?: readonly Draft[];
  readonly edit?: readonly Edit[];
  readonly cancel?: readonly Cancel[];
  readonly wake?: readonly { readonly id: string }[];
}

/** Two sets of consequences as one, in this order. */
export function joined(one: Consequences = {}, two: Consequences = {}): Consequences {
  return {
    append: [...(one.append ?? []), ...(two.append ?? [])],
    edit: [...(one.edit ?? []), ...(two.edit ?? [])],
    cancel: [...(one.cancel ?? []), ...(two.cancel ?? [])],
    wake: [...(one.wake ?? []), ...(two.wake ?? [])],
  };
}

export interface Appended<S extends Shape = Shape> {
  /** False: the key was taken by the same input, and this is the first record. */
  readonly fresh: boolean;
  readonly record: LedgerRecord<S>;
}

/** Plain data without `undefined`, as every store keeps it. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]));
}
