import type { Kind } from "./kind.ts";
import type { Context } from "./operation.ts";
import type { LedgerRecord } from "./record.ts";
import type { Body, Shape } from "./shape.ts";
import type { Hold, Key } from "./unit.ts";

/** A record of another book, as a file brings it. Its lease stays there. */
export type Transferred<S extends Shape = Shape> = Pick<
  LedgerRecord<S>,
  | "kind"
  | "id"
  | "by"
  | "key"
  | "parent"
  | "state"
  | "priority"
  | "queue"
  | "lane"
  | "body"
  | "outcome"
  | "cancelling"
  | "attempt"
  | "lapses"
  | "readyAt"
  | "createdAt"
  | "endedAt"
> & {
  /** An attempt was running when it was exported: its result is unknown. */
  readonly inFlight: boolean;
};

/** How records of a kind leave a book as lines of a file and come into another. A kind without one stays where it is. */
export interface TransferPart<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  /** The body as it is exported: without credentials. Default: all of it. */
  withoutSecrets?(body: Body<S>): unknown;
  /** The body of a file with this new secret, if one was left out; otherwise the same body. The kind checks it then. */
  withSecret?(body: unknown, secret: string): unknown;
  /** Throws what is wrong with a live record that its kind cannot see. */
  check?(record: Transferred<S>, context: Context): void;
  /** The records as they are written here, in the same order. */
  prepare?(
    records: readonly Transferred<S>[],
    context: Context,
  ): readonly Transferred<S>[] | Promise<readonly Transferred<S>[]>;
  /** The names that a record holds while it lives. */
  holds?(record: Transferred<S>, context: Context): readonly Hold[];
  /** The request that its key stands for (default: the key's name), and how long the key is kept. */
  key?(record: Transferred<S>): Pick<Key, "asked" | "until">;
  /** A refusal of the ledger in words about this kind. */
  refusal?(error: unknown, record: Transferred<S>, context: Context): unknown;
}

/** Infers the shape of the records, which is checked here and then no longer needed. */
export function transferPart<S extends Shape>(part: TransferPart<S>): TransferPart {
  return part;
}
