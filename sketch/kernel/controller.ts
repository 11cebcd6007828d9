import { DaybookError } from "../platform/errors.ts";
import type { Kind } from "./kind.ts";
import type { Ledger } from "./ledger.ts";
import type { Claimed, Shape } from "./record.ts";
import type { Verdict, WrittenVerdict } from "./verdict.ts";

/** What the time was when a rule was asked. */
export interface Facts {
  readonly now: number;
}

/** Makes one kind of record true. The loop around it claims, settles and backs off. */
export interface Controller<S extends Shape = Shape, Seen = unknown> {
  readonly name: string;
  readonly kind: Kind<S>;
  /** The kind's own queue when absent. */
  readonly queue?: string;
  /** What can be decided without acting. Pure. */
  before?(record: Claimed<S>, facts: Facts): Verdict<S> | undefined;
  act(record: Claimed<S>, signal: AbortSignal): Promise<Seen>;
  /** Where what was seen leaves the record. Pure: asked again when the record was edited meanwhile. */
  decide(record: Claimed<S>, seen: Seen, facts: Facts): Verdict<S>;
  /** A consequence was refused: reads again, without acting again. Absent: the act is tried again. */
  reread?(record: Claimed<S>, seen: Seen, refused: DaybookError): Promise<Seen>;
}

/** Keeps the types of one controller while it is written down; a list holds controllers of every shape. */
export function controller<S extends Shape, Seen>(definition: Controller<S, Seen>): Controller {
  return definition;
}

interface Runtime {
  readonly ledger: Ledger;
  now(): number;
}

const retryMs = 1_000;
const rereadsMax = 20;

/** Claims and settles until nothing is due: the sketch's stand-in for the runtime's loop. */
export async function runUntilIdle(
  controllers: readonly Controller[],
  runtime: Runtime,
): Promise<void> {
  for (let busy = true; busy;) {
    busy = false;
    for (const each of controllers) {
      const { kind, queue = kind.name } = each;
      const request = { kind, queue, holder: "node-1", leaseMs: 15_000, limit: 10 };
      for (const record of (await runtime.ledger.work.claim(request)).records) {
        busy = true;
        await attempt(each, record, runtime);
      }
    }
  }
}

/** One attempt at one record: decide early, or act, decide and settle; one unit. */
export async function attempt(
  each: Controller,
  record: Claimed,
  { ledger, now }: Runtime,
): Promise<void> {
  const facts = (): Facts => ({ now: now() });
  const early = each.before?.(record, facts());
  let seen = early === undefined ? await each.act(record, new AbortController().signal) : undefined;
  let decide = (fresh: Claimed): Verdict =>
    early === undefined
      ? each.decide(fresh, seen, facts())
      : (each.before?.(fresh, facts()) ?? retried(fresh));
  const retried = (fresh: Claimed): WrittenVerdict => ({
    state: fresh.state,
    wakeAt: now() + retryMs,
  });
  for (let rereads = 0; ;) {
    const { id, revision, lease } = record;
    const answer = await ledger.work.settle({
      id,
      revision,
      fence: lease.fence,
      ...decide(record),
    });
    if (answer.result === "settled" || answer.result === "stale") return;
    if (answer.result === "moved") {
      record = answer.record;
    } else if (each.reread !== undefined && early === undefined && (rereads += 1) <= rereadsMax) {
      const { code, message, details } = answer.error;
      seen = await each.reread(record, seen, new DaybookError(code, message, details));
    } else {
      decide = retried;
    }
  }
}
