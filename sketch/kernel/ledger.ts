import type { Kind } from "./kind.ts";
import type { Claimed, LedgerRecord, Shape } from "./record.ts";
import type { Appended, Cancel, Consequences, DraftOf, EditOf } from "./unit.ts";
import type { Unchanged, WrittenVerdict } from "./verdict.ts";

/** The real contract has fifteen verbs; the others change as these do. */
export interface Ledger {
  of(owner: string, by: string): Book;
  readonly work: Work;
}

export interface Book {
  append<S extends Shape>(draft: DraftOf<S>, consequences?: Consequences): Promise<Appended<S>>;
  /** Without a kind, a record of any: `is` narrows it. With one, a record of another kind is nothing. */
  get<S extends Shape = Shape>(id: string, kind?: Kind<S>): Promise<LedgerRecord<S> | undefined>;
  list<S extends Shape = Shape>(query: ListQuery<S>): Promise<readonly LedgerRecord<S>[]>;
  edit<S extends Shape>(edit: EditOf<S>, consequences?: Consequences): Promise<LedgerRecord<S>>;
  cancel(cancel: Cancel, consequences?: Consequences): Promise<Cancelled>;
}

export interface Work {
  claim<S extends Shape>(request: ClaimRequest<S>): Promise<Claim<S>>;
  settle<S extends Shape>(unit: Settle<S>): Promise<Settled<S>>;
}

/** A query names its kind by its definition; what crosses to the store is the kind's name. */
export interface ListQuery<S extends Shape = Shape> {
  readonly kind?: Kind<S> | undefined;
  readonly parent?: string | undefined;
  readonly live?: boolean | undefined;
  readonly state?: string | undefined;
}

export interface ClaimRequest<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  /** The kind's own queue when absent. */
  readonly queue?: string;
  /** Only this lane. */
  readonly lane?: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly limit: number;
}

export interface Claim<S extends Shape = Shape> {
  readonly records: readonly Claimed<S>[];
  readonly now: number;
}

export interface Cancelled {
  readonly result: "cancelled" | "cancelling" | "ended";
  readonly record: LedgerRecord;
}

/** A verdict under a lease. */
export type Settle<S extends Shape = Shape> = {
  readonly id: string;
  readonly fence: number;
  readonly revision: number;
} & (WrittenVerdict<S> | Unchanged);

export type Settled<S extends Shape = Shape> =
  | { readonly result: "settled" }
  | { readonly result: "stale" }
  | { readonly result: "moved"; readonly record: Claimed<S> }
  | {
      readonly result: "refused";
      readonly error: { code: string; message: string; details: Readonly<Record<string, unknown>> };
    };
