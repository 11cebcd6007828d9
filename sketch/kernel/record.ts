import type { Json } from "../platform/json.ts";

/** What the records of one kind look like: the only thing that the types of the kernel are generic over. */
export interface Shape {
  readonly name: string;
  /** What was asked for. */
  readonly body: unknown;
  /** What was seen. */
  readonly outcome: unknown;
  readonly live: string;
  readonly end: string;
  readonly levelTriggered: boolean;
}

/** What is stored is never changed in place, and a draft may be made of what cannot be. */
export type ReadonlyDeep<T> = [Json] extends [T] ? T : Frozen<T>;
type Frozen<T> = T extends readonly (infer Each)[]
  ? readonly ReadonlyDeep<Each>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadonlyDeep<T[Name]> }
    : T;

export type Priority = "high" | "normal" | "low";

/** A record of one kind; without an argument, a record whose kind is not known: `is(nag, record)` narrows it. */
export interface LedgerRecord<S extends Shape = Shape> {
  readonly kind: S["name"];
  readonly id: string;
  readonly owner: string;
  readonly by: string;
  readonly key: string | null;
  /** The record that caused this one. */
  readonly parent: string | null;
  /** Whatever write ends this record wakes its parent. */
  readonly wakesParent: boolean;
  readonly state: S["live"] | S["end"];
  readonly priority: Priority;
  readonly queue: string;
  readonly lane: string | null;
  readonly revision: number;
  readonly attempt: number;
  readonly lapses: number;
  readonly body: S["body"];
  readonly outcome: S["outcome"] | null;
  readonly cancelling: boolean;
  readonly wakeAt: number | null;
  readonly lease: Lease | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export interface Lease {
  readonly holder: string;
  readonly fence: number;
  readonly claimedAt: number;
}

export interface Claimed<S extends Shape = Shape> extends LedgerRecord<S> {
  readonly lease: Lease;
  /** When the lease ends. */
  readonly wakeAt: number;
}
