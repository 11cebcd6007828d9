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
 * or its rule must decide what follows an attempt whose result is unknown (`record.lapses`).
 */
export interface Controller<K extends Shape, Observed> {
  readonly name: string;
  readonly kind: Kind<K>;
  /** The kind's own queue when absent. */
  readonly queue?: string;
  /** The longest time between two claims, in case a hint is lost. Absent: 30 s. */
  readonly pollMs?: number;
  /** What can be decided without acting. Pure. */
  before?(record: Claimed<K>, facts: Facts): Verdict<K> | undefined;
  /** Acts, and answers what it observed. */
  act(record: Claimed<K>, handle: LeaseHandle<K>): Promise<Observed>;
  /** The verdict for what the act observed. Pure: called again, with the fresh record, when the
   * record was edited meanwhile. */
  decide(record: Claimed<K>, observed: Observed, facts: Facts): Verdict<K>;
  /**
   * Called when a consequence could not be written: a name is held, or another record has changed. Observes again
   * without acting, and `decide` is called with the result. Absent, undefined, or refused too often: the attempt is
   * repeated later.
   */
  observeAgain?(
    record: Claimed<K>,
    observed: Observed,
    refused: DaybookError,
  ): Promise<Observed | undefined>;
  /**
   * An act that threw is repeated, unless a cancel was requested meanwhile: then the record ends cancelled. Answers
   * the verdict with the consequences of that end. Pure.
   */
  cancelled?(record: Claimed<K>, verdict: WrittenVerdict<K>): WrittenVerdict<K>;
  /** The verdict to write when the consequences of a live one were refused. Absent: nothing is written,
   * and the act is repeated. An end stays an end. Pure. */
  withoutConsequences?(verdict: WrittenVerdict<K>): WrittenVerdict<K>;
  /** Emits events after a verdict was written; an unchanged one is not written. */
  publish?(events: Bus<Events>, written: Written<K, Observed>): void;
  /** The shortest time to park the complete lane, when its destination could not be reached. */
  lanePauseMs?(observed: Observed): number | undefined;
}

/** A verdict as it was written; `observed` when there was an act. */
export interface Written<K extends Shape, Observed> {
  readonly record: Claimed<K>;
  readonly verdict: WrittenVerdict<K>;
  readonly observed: Observed | undefined;
}

/** What an act may use of its lease. */
export interface LeaseHandle<K extends Shape> {
  /** Aborts when the lease is lost, a cancel is requested, or the node stops. */
  readonly signal: AbortSignal;
  /** Whether the lease certainly still holds; check again after anything that takes time. */
  isTrusted(): boolean;
  /** Saves the outcome so far, so that another attempt continues from there; the note stands in the history. Throws
   * when the lease is lost. */
  save(outcome: Outcome<K>, note?: string): Promise<void>;
  /** Appends bytes to the record's output. Throws when the lease is lost. */
  write(stream: string, bytes: Uint8Array): Promise<void>;
}

/** What every controller on a node shares. */
export interface RuntimePorts {
  readonly work: Work;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Bus<Events>;
}
