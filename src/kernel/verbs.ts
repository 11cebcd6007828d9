import type { DaybookError } from "../platform/errors.ts";
import type { Work } from "./ledger.ts";
import type {
  Changes,
  ChangesQuery,
  Chunk,
  ListQuery,
  Page,
  QueueQuery,
  ReadQuery,
  Stats,
} from "./query.ts";
import type { AnyRecord } from "./record.ts";
import type { Appended, Cancel, Cancelled, Draft, Edit, Consequences, Actor } from "./unit.ts";
import type {
  Claim,
  Keep,
  Kept,
  Move,
  Prune,
  Settle,
  Settled,
  Write,
  Written,
  ClaimInput,
} from "./work-unit.ts";

/** A query for a store: it names the kind. */
export type ListInput = Omit<ListQuery, "kind"> & { kind?: string | undefined };

/** The fifteen verbs as plain data, so that a call can be sent to a thread, journalled or repeated. */
export interface Verbs {
  append: {
    input: { who: Actor; draft: Draft; consequences?: Consequences | undefined };
    answer: Appended;
  };
  get: { input: { who: Actor; id: string }; answer: AnyRecord | undefined };
  list: { input: { who: Actor; query: ListInput }; answer: Page };
  edit: {
    input: { who: Actor; edit: Edit; consequences?: Consequences | undefined };
    answer: AnyRecord;
  };
  cancel: {
    input: { who: Actor; cancel: Cancel; consequences?: Consequences | undefined };
    answer: Cancelled;
  };
  changes: { input: { who: Actor; query: ChangesQuery }; answer: Changes };
  read: { input: { who: Actor; query: ReadQuery }; answer: Chunk };
  claim: { input: ClaimInput; answer: Claim };
  keep: { input: readonly Keep[]; answer: readonly Kept[] };
  settle: { input: readonly Settle[]; answer: readonly Settled[] };
  move: { input: Move; answer: number };
  write: { input: Write; answer: Written };
  prune: { input: Prune; answer: number };
  inQueue: { input: QueueQuery; answer: Page };
  stats: { input: null; answer: Stats };
}

export type Verb = keyof Verbs;

/** The verbs of a book, and those of work. */
export const bookVerbs = ["append", "get", "list", "edit", "cancel", "changes", "read"] as const;
export const workVerbs = [
  "claim",
  "keep",
  "settle",
  "move",
  "write",
  "prune",
  "inQueue",
  "stats",
] as const;

export type Answers = {
  readonly [V in Verb]: (input: Verbs[V]["input"]) => Verbs[V]["answer"];
};

/** A synchronous store. A verb that throws a `DaybookError` has written nothing. */
export type Engine = Answers & {
  /** The queues in which records may have become due since the last call. */
  takeHints(): readonly string[];
};

/** Sends a call to a store. */
export type Perform = <V extends Verb>(
  verb: V,
  input: Verbs[V]["input"],
) => Promise<Verbs[V]["answer"]>;

/** A store, for the ledger over it. */
export interface Transport {
  perform: Perform;
  onHint: Work["onHint"];
  /** Absent: the store is never lost, or recovers by itself. */
  lost?: Promise<DaybookError>;
  close(): Promise<void>;
}
