import { notificationKind } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Keep, Kept } from "../../kernel/work-unit.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import type { CallOf, Watch } from "./calls.ts";
import { workOf, type Facts } from "./facts.ts";
import { checkInvariant, factsOf, nextOrder, type Model } from "./model.ts";
import { recordProgress } from "./parts.ts";
import { recordRun } from "./runs.ts";
import { checkPlan } from "./slots.ts";
import { checkUrgency } from "./urgency.ts";

/** Who was handed what. */
export function watchClaim(watch: Watch, call: CallOf<"claim">): void {
  const { answer, input, process } = call;
  if (answer === undefined || answer.records.length === 0) return;
  for (const owner of new Set(answer.records.map((record) => record.owner))) {
    watch.history.read(owner);
  }
  const few = answer.records.length <= input.limit;
  checkInvariant(
    watch.model,
    few,
    "a claim returns at most its limit",
    () => input.queue ?? input.kind,
  );
  checkUrgency(watch, call);
  for (const record of answer.records) {
    const facts = factsOf(watch.model, record.id);
    if (facts.versions.length === 0) adopt(watch.model, facts, record);
    recordRun(watch, record);
    checkPlan(watch.model, record.id, record.body);
    checkHandedOut(watch.model, facts, record, answer.now);
    if (facts.lease !== null) {
      facts.lapsed = true;
      watch.marks.reached(
        facts.lease.process === process
          ? "a process claimed its own lapsed record"
          : "a process claimed the lapsed record of another",
      );
    }
    if (record.attempt >= 5) watch.marks.reached("a fifth attempt");
    recordLease(watch, facts, call);
    workOf(facts, process).priority = record.priority;
  }
}

/** A consequence whose id the store made: it is known by its key. */
function adopt(model: Model, facts: Facts, record: Claimed): void {
  if (!is(notificationKind, record)) return;
  const { owner, key, body } = record;
  const drafts = model.unnamed.get(`${owner} ${key}`) ?? [];
  const found = drafts.find(({ text, at }) => text === body.message && at === body.at);
  if (found !== undefined) facts.versions.push(found);
}

function checkHandedOut(model: Model, facts: Facts, record: Claimed, now: number): void {
  const { fence } = record.lease;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => `handed out: ${JSON.stringify(record)}`);
  must(fence === facts.fence + 1, "the fence rises by one with every claim");
  must(record.attempt === facts.attempt + 1, "the attempt number counts claims");
  must(facts.end === null, "an ended record is not handed out");
  must(!facts.cancelling, "a cancelling record is not handed out");
  must(facts.lease === null || facts.lease.until <= now, "one unexpired lease at a time");
  must(facts.readyAt <= model.storeNowMax, "no record is claimed before its time");
  const text = is(notificationKind, record) ? record.body.message : undefined;
  must(text === facts.versions.at(-1)?.text, "no edit is lost");
}

function recordLease(watch: Watch, facts: Facts, { process, input }: CallOf<"claim">): void {
  facts.fence += 1;
  facts.attempt += 1;
  facts.wokenAt = null;
  facts.lease = { process, until: watch.storeNow() + input.leaseMs };
  const work = workOf(facts, process);
  const isWaiting = work.sends < work.claims - work.unstarted;
  work.earlierStoreAt = isWaiting ? work.claimedStoreAt : null;
  work.claims += 1;
  work.order = nextOrder(watch.model);
  work.claimedAt = watch.now();
  work.attemptAt = watch.now();
  work.claimedStoreAt = watch.storeNow();
  work.channelResult = "";
  work.members = null;
  work.leaseMs = input.leaseMs;
  const version = facts.versions.at(-1);
  if (version !== undefined) work.versions.push(version);
}

export function watchKeep(
  watch: Watch,
  { unit, answer, process }: { unit: Keep; answer: Kept | undefined; process: VirtualProcess },
): void {
  if (answer === undefined) return;
  const { model, marks } = watch;
  const facts = factsOf(model, unit.id);
  checkFence(watch, facts, unit.fence, answer.result);
  marks.reached(`keep answered ${answer.result}`);
  if (answer.result !== "kept" || facts.lease === null) return;
  if (watch.storeNow() >= facts.lease.until) marks.reached("a lapsed lease was renewed");
  facts.lease.until = watch.storeNow() + unit.leaseMs;
  workOf(facts, process).claimedAt = watch.now();
  recordProgress(watch, facts, unit, process);
  if (answer.cancelling) marks.reached("a lease renewal reported a cancel");
  const told = answer.cancelling || !facts.cancelling;
  checkInvariant(model, told, "a lease renewal reports a pending cancel", () => unit.id);
}

/** The newest fence of a claimed record may write; no other may. */
export function checkFence(watch: Watch, facts: Facts, fence: number, result: string): void {
  const { model } = watch;
  const good = facts.lease !== null && fence === facts.fence;
  const detail = (): string => `${facts.id}: fence ${fence} of ${facts.fence} answered ${result}`;
  if (good && result === "stale") {
    watch.history.read(facts.owner); // a cancel or an edit over the lapsed lease may have ended it
    checkInvariant(model, facts.end !== null, "a valid lease is not refused", detail);
  }
  const wrote =
    result === "written" ||
    result === "gap" ||
    result === "kept" ||
    result === "settled" ||
    result === "moved";
  checkInvariant(model, good || !wrote, "an old fence changes nothing", detail);
}
