import type { DaybookError } from "../platform/errors.ts";
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
import type { AnyRecord, LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";
import type { Appended, Cancel, Cancelled, DraftOf, EditOf, Consequences } from "./unit.ts";
import type {
  Claim,
  ClaimRequest,
  Keep,
  Kept,
  Move,
  Prune,
  Settle,
  Settled,
  Write,
  Written,
} from "./work-unit.ts";

/**
 * The ledger: the desired state, the observed state, and the time of the next action.
 *
 * Callers write records, and controllers claim them to make them true. Every write is a *unit*:
 * one change of one record plus its consequences, all or nothing. No cause is ever stored without its
 * consequences.
 *
 * The store's clock decides which records are due and when a lease ends; no caller passes its own time.
 */
export interface Ledger {
  /** One owner's book, acted on by one principal. Nothing of another owner can be reached from it. */
  of(owner: string, by: string): Book;
  /** The work of all owners, for controllers. */
  readonly work: Work;
  /** Resolves when the store is lost for good and must be opened again; otherwise never. */
  readonly lost: Promise<DaybookError>;
  /** Waits for open calls, then closes the store. */
  close(): Promise<void>;
}

/** Seven verbs for callers. Each throws a `DaybookError` and writes nothing when it cannot. */
export interface Book {
  /** Writes a record. Durable when it resolves. A key that is taken by the same body answers the
   * first record; by another body, `conflict`. A hold that is taken is `held`. */
  append<K extends Shape>(draft: DraftOf<K>, consequences?: Consequences): Promise<Appended<K>>;
  /** The record, or undefined; also undefined for another owner's record. */
  get(id: string): Promise<AnyRecord | undefined>;
  /** Records in the order of their creation, a page at a time. */
  list<K extends Shape>(query: ListQuery<K>): Promise<Page<K>>;
  /** Changes the request. Raises the revision and never touches a lease: a controller that holds the
   * lease gets `moved` when it settles. */
  edit<K extends Shape>(edit: EditOf<K>, consequences?: Consequences): Promise<LedgerRecord<K>>;
  /** `cancelled` when the record was not leased; `cancelling` when it is: no new attempt starts, and
   * the record ends cancelled, or with the attempt's own end if the cancel was too late. */
  cancel(cancel: Cancel, consequences?: Consequences): Promise<Cancelled>;
  /** The feed: every visible change of this owner's records once, in order, without gaps on resume. */
  changes(query: ChangesQuery): Promise<Changes>;
  /** Bytes of a record's output. */
  read(query: ReadQuery): Promise<Chunk>;
}

/** Eight verbs for controllers, and a hint. Each call takes many units; each unit has its own answer. */
export interface Work {
  /** Leases up to `limit` due records: high priority first, then by wake time. The lease moves the
   * record's wake time to its end, so that due, retry and lapsed are one thing. Raises fence and
   * attempt; a claim over a lapsed lease writes that the earlier attempt's result is unknown. A
   * cancelling record is not handed out again: the claim ends it. */
  claim<K extends Shape>(request: ClaimRequest<K>): Promise<Claim<K>>;
  /** Extends leases, and patches outcomes. */
  keep(units: readonly Keep[]): Promise<readonly Kept[]>;
  /** Ends leases. A fence that is not the record's newest changes nothing and answers `stale`; a
   * revision that was edited meanwhile answers `moved`, and the lease stays. A cancelling record
   * that is settled without an end ends cancelled. */
  settle<K extends Shape>(units: readonly Settle<K>[]): Promise<readonly Settled<K>[]>;
  /** Moves the wake time of a lane's waiting records: parks a lane, or frees one. Never moves a
   * leased record, and never makes one due before its own time. Answers how many it moved. */
  move(move: Move): Promise<number>;
  /** Adds bytes to a claimed record's output, at the offset where it ends. */
  write(chunk: Write): Promise<Written>;
  /** Deletes records that ended before a time, with their history and output. Keys stay until their
   * own expiry. Answers how many it deleted; call again until it answers less than the limit. */
  prune(prune: Prune): Promise<number>;
  /** The records of all owners that are or will be due in a queue, leased or not, in the order of their
   * creation, a page at a time: for a controller that needs all of its records. */
  inQueue(query: QueueQuery): Promise<Page>;
  stats(): Promise<Stats>;
  /** Calls back soon after something in the queue may have become due. A hint may be lost, doubled
   * or wrong: the ledger is the truth. The returned function removes the listener. */
  onHint(queue: string, hint: () => void): () => void;
}
