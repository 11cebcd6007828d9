import type { Clock } from "../platform/clock.ts";
import type { DaybookError } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { Random } from "../platform/random.ts";
import type { Events } from "./events.ts";
import type { Kind } from "./kind.ts";
import type { Work } from "./ledger.ts";
import type { Claimed } from "./record.ts";
import type { Outcome, Shape } from "./shape.ts";
import type { Facts, Verdict, WrittenVerdict } from "./verdict.ts";

/**
 * Makes one kind of record true. The runtime around it claims, keeps the lease, settles and backs
 * off; a controller only acts and decides.
 *
 * An act may be cut off at any moment and repeated by another node, so it must be safe to repeat,
 * or its rule must say what to do after an attempt whose fate is unknown (`record.lapses`).
 */
export interface Controller<K extends Shape, Seen> {
  readonly name: string;
  readonly kind: Kind<K>;
  /** The kind's own queue when absent. */
  readonly queue?: string;
  /** The net under lost hints: nothing waits longer than this to be looked at. Absent: 30 s. */
  readonly pollMs?: number;
  /** What can be decided without acting. Pure. */
  before?(record: Claimed<K>, facts: Facts): Verdict<K> | undefined;
  /** Acts, and says what was seen. */
  act(record: Claimed<K>, handle: LeaseHandle<K>): Promise<Seen>;
  /** Where what was seen leaves the record. Pure: asked again, with the fresh record, when the
   * record was edited meanwhile. */
  decide(record: Claimed<K>, seen: Seen, facts: Facts): Verdict<K>;
  /**
   * What follows could not be written: a name is held, another record moved on. Looks again, without acting
   * again, and says what is seen now; `decide` is asked with that. Absent, or refused too often: the attempt
   * is made again later.
   */
  reread?(record: Claimed<K>, seen: Seen, refused: DaybookError): Promise<Seen>;
  /**
   * An act that broke is made again, unless a cancel was asked meanwhile: then that is the record's end. Says what
   * follows from it. Pure.
   */
  cancelled?(record: Claimed<K>, verdict: WrittenVerdict<K>): WrittenVerdict<K>;
  /** The verdict when what follows from it was refused, of one that lives on. Absent: nothing of it
   * stays, and the act is tried again. An end stays an end. Pure. */
  withoutConsequences?(verdict: WrittenVerdict<K>): WrittenVerdict<K>;
  /** The verdict was written (one that rests is not): says what somebody should hear of who does not read the record. */
  publish?(events: Bus<Events>, written: Written<K, Seen>): void;
  /** The whole lane could not be reached: how long to leave it alone at least. */
  lanePauseMs?(seen: Seen): number | undefined;
}

/** A verdict as it was written; `seen` when there was an act. */
export interface Written<K extends Shape, Seen> {
  readonly record: Claimed<K>;
  readonly verdict: WrittenVerdict<K>;
  readonly seen: Seen | undefined;
}

/** What an act may use of its lease. */
export interface LeaseHandle<K extends Shape> {
  /** Aborts when the lease is lost, a cancel came, or we stop. */
  readonly signal: AbortSignal;
  /** Whether the lease is surely ours still: to be asked again after anything that took time. */
  isTrusted(): boolean;
  /** Writes down what was seen so far, so that another attempt goes on from there. Throws when the lease
   * is lost. */
  save(outcome: Outcome<K>): Promise<void>;
  /** Adds bytes to the record's output, where the stream ends now. Throws when the lease is lost. */
  write(stream: string, bytes: Uint8Array): Promise<void>;
}

/** What every controller on a node shares. */
export interface RuntimePorts {
  work: Work;
  clock: Clock;
  random: Random;
  events: Bus<Events>;
}
