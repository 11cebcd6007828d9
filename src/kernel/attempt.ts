import { backoffMs, type Backoff } from "../platform/backoff.ts";
import { type ErrorData, framesOf, fromErrorData, messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import { present } from "../platform/json.ts";
import { cut } from "../platform/text.ts";
import type { CommitBatcher } from "./commit-batcher.ts";
import type { Controller, LeaseHandle } from "./controller.ts";
import type { Events } from "./events.ts";
import type { Claimed } from "./record.ts";
import type { Shape } from "./shape.ts";
import { isTransient } from "./store-retry.ts";
import type { Facts, Unchanged, WrittenVerdict } from "./verdict.ts";
import type { Settle } from "./work-unit.ts";

interface Attempt<K extends Shape, Observed> {
  controller: Controller<K, Observed>;
  record: Claimed<K>;
  /** The act's access to its lease. */
  handle: LeaseHandle<K>;
  batcher: CommitBatcher<K>;
  events: Bus<Events>;
  facts(): Facts;
  /** Before this time the attempt could not have begun. */
  servedFrom: number;
}

type Rule<K extends Shape> = (record: Claimed<K>, facts: Facts) => WrittenVerdict<K> | Unchanged;
/** Answers whether there is a new observation after a refusal. */
type ObserveAgain<K extends Shape> = (record: Claimed<K>, refused: ErrorData) => Promise<boolean>;

const reasonCharsMax = 1_000;
/** The most new observations after refusals. */
const roundsMax = 20;
const faultBackoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };

/** One attempt at one record: act, decide, settle. Answers how long its lane should be parked. */
export async function runAttempt<K extends Shape, Observed>(
  parts: Attempt<K, Observed>,
): Promise<number | undefined> {
  const { controller, events } = parts;
  let result = await act(parts);
  const observeAgain: ObserveAgain<K> = async (fresh, refused) => {
    if (!("observed" in result) || controller.observeAgain === undefined) return false;
    const cause = fromErrorData(refused);
    const observed = await controller.observeAgain(fresh, result.observed, cause);
    if (observed === undefined) return false;
    result = { observed };
    return true;
  };
  // Outside of any `try`: if the observation cannot be settled the lease lapses, and the record shows
  // that this attempt's result is unknown. Repeating it as if nothing had been observed would be wrong.
  const decide: Rule<K> = (fresh, facts) => {
    if ("observed" in result) return controller.decide(fresh, result.observed, facts);
    const early = "early" in result ? controller.before?.(fresh, facts) : undefined;
    if (early !== undefined) return early;
    const retry =
      "failure" in result ? retryLater(fresh, facts, result.failure) : actAtOnce(fresh, facts);
    return fresh.cancelling ? (controller.cancelled?.(fresh, retry) ?? retry) : retry;
  };
  const written = await settle(parts, decide, observeAgain);
  const observed = "observed" in result ? result.observed : undefined;
  if (written !== undefined) controller.publish?.(events, { ...written, observed });
  return observed === undefined ? undefined : controller.lanePauseMs?.(observed);
}

type ActResult<Observed> = { early: true } | { failure: string } | { observed: Observed };

async function act<K extends Shape, Observed>(
  parts: Attempt<K, Observed>,
): Promise<ActResult<Observed>> {
  const { controller, record } = parts;
  try {
    if (controller.before?.(record, parts.facts()) !== undefined) return { early: true };
    return { observed: await controller.act(record, parts.handle) };
  } catch (error) {
    const failure = cut(messageOf(error), reasonCharsMax);
    // A channel's error does not get here: it is the result of a send.
    if (isTransient(error)) {
      parts.events.emit("store failed", { doing: `act on a ${record.kind}`, reason: failure });
    }
    const stack = framesOf(error);
    parts.events.emit("act failed", present({ ...attemptFields(record), reason: failure, stack }));
    return { failure };
  }
}

/** Settles the rule's verdict, and decides again for as long as the record is edited meanwhile. Answers the written
 * verdict; an unchanged one writes nothing. */
async function settle<K extends Shape, Observed>(
  parts: Attempt<K, Observed>,
  decide: Rule<K>,
  observeAgain: ObserveAgain<K>,
): Promise<{ record: Claimed<K>; verdict: WrittenVerdict<K> } | undefined> {
  const { controller, events } = parts;
  let { record } = parts;
  let rule = decide;
  let rounds = 0;
  for (;;) {
    const verdict = rule(record, parts.facts());
    const { id, lease } = record;
    const unit = { ...unitOf(record, verdict), ...lateCancel(record, verdict) };
    const answer = await parts.batcher.settle(unit);
    switch (answer.result) {
      case "moved":
        record = answer.record;
        continue;
      case "refused":
        rounds += 1;
        if (rule === decide && rounds <= roundsMax && (await observeAgain(record, answer.error))) {
          continue;
        }
        // A consequence cannot be written (a name is held, a key stands for something else). If it cannot
        // be settled without it either, the lease lapses: repeating it for ever would not help.
        if (rule !== decide) throw fromErrorData(answer.error);
        events.emit("consequence refused", {
          ...attemptFields(record),
          reason: answer.error.message,
        });
        rule = withoutConsequences(decide, controller, answer.error.message);
        continue;
      case "stale": {
        const { kind } = record;
        events.emit("lease lost", { kind, id, reason: "another claimed it meanwhile" });
        return undefined;
      }
      case "settled":
        if ("unchanged" in verdict) return undefined;
        events.emit("record settled", {
          ...attemptFields(record),
          state: "ends" in verdict ? verdict.ends : verdict.state,
          lateMs: lateMsOf(record, parts.servedFrom),
          tookMs: Math.max(parts.facts().now - lease.claimedAt, 0),
        });
        return { record, verdict };
    }
  }
}

/** How long it was due and could have been begun. */
function lateMsOf<K extends Shape>({ readyAt, lease }: Claimed<K>, servedFrom: number): number {
  return lease.claimedAt - Math.min(Math.max(readyAt ?? Infinity, servedFrom), lease.claimedAt);
}

/** A verdict under the record's lease. An unchanged one gives the record back, unless it was edited meanwhile. */
function unitOf<K extends Shape>(
  { id, revision, lease: { fence } }: Claimed<K>,
  verdict: WrittenVerdict<K> | Unchanged,
): Settle<K> {
  const leased = { id, fence, revision };
  if ("unchanged" in verdict) return { ...leased, unstarted: true, wakeAt: verdict.unchanged };
  return { ...leased, ...verdict };
}

/**
 * The same rule after its consequences were refused. The observation must not be lost with them: an end stays, and
 * so does a verdict that the controller allows without consequences. Anything else is repeated.
 */
function withoutConsequences<K extends Shape, Observed>(
  decide: Rule<K>,
  { withoutConsequences: alone }: Controller<K, Observed>,
  refusal: string,
): Rule<K> {
  return (record, facts) => {
    const verdict = decide(record, facts);
    if ("unchanged" in verdict) return retryLater(record, facts, refusal);
    const kept = "ends" in verdict ? verdict : alone?.(verdict);
    if (kept === undefined) return retryLater(record, facts, refusal);
    const note = withNote(verdict, `what follows from it was refused: ${refusal}`);
    return { ...kept, consequences: {}, note };
  };
}

/** Notes that the attempt ended before the cancel took effect. */
function lateCancel<K extends Shape>(
  record: Claimed<K>,
  verdict: WrittenVerdict<K> | Unchanged,
): { note?: string } {
  if (!record.cancelling || !("ends" in verdict)) return {};
  return { note: withNote(verdict, "the cancel came late") };
}

function withNote({ note }: { note?: string | undefined }, added: string): string {
  return note === undefined ? added : `${note}; ${added}`;
}

/** The act threw, which decides nothing about the record: wait and repeat it. */
function retryLater<K extends Shape>(
  record: Claimed<K>,
  facts: Facts,
  reason: string,
): WrittenVerdict<K> {
  const wakeAt = facts.now + backoffMs(faultBackoff, record.attempt, facts.jitter);
  return { state: record.state, wakeAt, note: reason };
}

/** The record was edited, so it can no longer be decided without acting: act at once. */
function actAtOnce<K extends Shape>(record: Claimed<K>, facts: Facts): WrittenVerdict<K> {
  return { state: record.state, wakeAt: facts.now };
}

/** The fields of an event that name the attempt. */
export function attemptFields({
  kind,
  id,
  attempt,
}: Claimed): Pick<Claimed, "kind" | "id" | "attempt"> {
  return { kind, id, attempt };
}
