import { fromErrorData, messageOf } from "../base/errors.ts";
import type { Bus } from "../base/events.ts";
import { backoffMs, type Backoff } from "../rules/backoff.ts";
import type { Events } from "../rules/events.ts";
import type { Kind, Live } from "../rules/kinds.ts";
import type { Claimed } from "../rules/record.ts";
import { cut } from "../rules/text.ts";
import type { Facts, Verdict } from "../rules/verdict.ts";
import type { Controller, Hands } from "./controller.ts";
import type { Settler } from "./settler.ts";

interface Attempt<K extends Kind, Seen> {
  controller: Controller<K, Seen>;
  record: Claimed<K>;
  /** What the act may use of its lease. */
  hands: Hands<K>;
  settler: Settler<K>;
  events: Bus<Events>;
  facts(): Facts;
}

type Rule<K extends Kind> = (record: Claimed<K>, facts: Facts) => Verdict<K>;

const reasonCharsMax = 1_000;
const faultBackoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };

/** One attempt at one record: look, act, decide, settle. Answers how long its lane should rest. */
export async function attempt<K extends Kind, Seen>(
  parts: Attempt<K, Seen>,
): Promise<number | undefined> {
  const { controller } = parts;
  const looked = await lookAndAct(parts);
  // Outside of any `try`: if what was seen cannot be settled the lease lapses, and the record says
  // that this attempt's fate is unknown. Trying again as if nothing had been seen would be a lie.
  await settle(parts, (fresh, facts) => {
    if ("early" in looked) return controller.before?.(fresh, facts) ?? lookAgain(fresh, facts);
    if ("broke" in looked) return tryAgain(fresh, facts, looked.broke);
    return controller.decide(fresh, looked.seen, facts);
  });
  return "seen" in looked ? controller.laneRestMs?.(looked.seen) : undefined;
}

type Looked<Seen> = { early: true } | { broke: string } | { seen: Seen };

async function lookAndAct<K extends Kind, Seen>(parts: Attempt<K, Seen>): Promise<Looked<Seen>> {
  const { controller, record } = parts;
  try {
    if (controller.before?.(record, parts.facts()) !== undefined) return { early: true };
    return { seen: await controller.act(record, parts.hands) };
  } catch (error) {
    const broke = cut(messageOf(error), reasonCharsMax);
    parts.events.emit("act failed", { ...nameOf(record), attempt: record.attempt, reason: broke });
    return { broke };
  }
}

/** Turns a verdict into a settle, and asks the rule again for as long as the record moves. */
async function settle<K extends Kind, Seen>(
  parts: Attempt<K, Seen>,
  decide: Rule<K>,
): Promise<void> {
  let { record } = parts;
  let rule = decide;
  for (;;) {
    const verdict = rule(record, parts.facts());
    const { id, lease, revision } = record;
    const unit = { ...verdict, ...lateCancel(record, verdict), id, fence: lease.fence, revision };
    const answer = await parts.settler.settle(unit);
    switch (answer.result) {
      case "moved":
        record = answer.record;
        continue;
      case "refused":
        // A consequence cannot be written (a name is held, a key stands for something else). If trying
        // again cannot be written either, the lease lapses: asking for ever would help nobody.
        if (rule !== decide) throw fromErrorData(answer.error);
        parts.events.emit("act failed", {
          ...nameOf(record),
          attempt: record.attempt,
          reason: answer.error.message,
        });
        rule = (fresh, facts) => tryAgain(fresh, facts, answer.error.message);
        continue;
      case "stale":
        parts.events.emit("lease lost", {
          ...nameOf(record),
          reason: "another claimed it meanwhile",
        });
        return;
      case "settled": {
        const state = "ends" in verdict ? verdict.ends : verdict.state;
        const lateMs = lease.claimedAt - (record.readyAt ?? lease.claimedAt);
        parts.events.emit("record settled", {
          ...nameOf(record),
          state,
          attempt: record.attempt,
          lateMs,
          tookMs: Math.max(parts.facts().now - lease.claimedAt, 0),
        });
        return;
      }
    }
  }
}

function lateCancel<K extends Kind>(record: Claimed<K>, verdict: Verdict<K>): { note?: string } {
  if (!record.cancelling || !("ends" in verdict)) return {};
  const late = "the cancel came late";
  return { note: verdict.note === undefined ? late : `${verdict.note}; ${late}` };
}

/** The act broke, which says nothing about the record: wait and try again. */
function tryAgain<K extends Kind>(record: Claimed<K>, facts: Facts, reason: string): Verdict<K> {
  const wakeAt = facts.now + backoffMs(faultBackoff, record.attempt, facts.jitter);
  return { state: record.state as Live<K>, wakeAt, note: reason };
}

/** What could be decided without acting no longer can: the record was edited. Act on it at once. */
function lookAgain<K extends Kind>(record: Claimed<K>, facts: Facts): Verdict<K> {
  return { state: record.state as Live<K>, wakeAt: facts.now };
}

function nameOf<K extends Kind>(record: Claimed<K>): { kind: K; id: string } {
  return { kind: record.kind, id: record.id };
}
