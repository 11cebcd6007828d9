import { notificationKind } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Keep, Kept } from "../../kernel/work-unit.ts";
import type { Life } from "../simulator/kernel.ts";
import type { CallOf, Watch } from "./calls.ts";
import { worksOf, type Facts } from "./facts.ts";
import { demand, factsOf, nextOrder, type Notes } from "./notes.ts";
import { takeProgress } from "./parts.ts";
import { takeRun } from "./runs.ts";
import { checkPlan } from "./slots.ts";
import { checkUrgency } from "./urgency.ts";

/** Who was handed what. */
export function watchClaim(watch: Watch, call: CallOf<"claim">): void {
  const { answer, input, life } = call;
  if (answer === undefined || answer.records.length === 0) return;
  for (const owner of new Set(answer.records.map((record) => record.owner))) {
    watch.history.read(owner);
  }
  const few = answer.records.length <= input.limit;
  demand(watch.notes, few, "a claim keeps to its limit", () => input.queue ?? input.kind);
  checkUrgency(watch, call);
  for (const record of answer.records) {
    const facts = factsOf(watch.notes, record.id);
    if (facts.versions.length === 0) adopt(watch.notes, facts, record);
    takeRun(watch, record);
    checkPlan(watch.notes, record.id, record.body);
    checkHandedOut(watch.notes, facts, record, answer.now);
    if (facts.lease !== null) {
      facts.lapsed = true;
      watch.marks.reached(facts.lease.life === life ? "own lease lapsed" : "takeover");
    }
    if (record.attempt >= 5) watch.marks.reached("fifth attempt");
    takeLease(watch, facts, call);
    worksOf(facts, life).priority = record.priority;
  }
}

/** A consequence whose id the store made: it is known by its key. */
function adopt(notes: Notes, facts: Facts, record: Claimed): void {
  if (!is(notificationKind, record)) return;
  const { owner, key, body } = record;
  const drafts = notes.unnamed.get(`${owner} ${key}`) ?? [];
  const found = drafts.find(({ text, at }) => text === body.message && at === body.at);
  if (found !== undefined) facts.versions.push(found);
}

function checkHandedOut(notes: Notes, facts: Facts, record: Claimed, now: number): void {
  const { fence } = record.lease;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `handed out: ${JSON.stringify(record)}`);
  must(fence === facts.fence + 1, "the fence rises by one with every claim");
  must(record.attempt === facts.attempt + 1, "attempts count claims");
  must(facts.end === null, "an ended record is not handed out");
  must(!facts.cancelling, "a cancelling record is not handed out");
  must(facts.lease === null || facts.lease.until <= now, "one unexpired lease at a time");
  must(facts.readyAt <= notes.storeNowMax, "nothing is handed out before its time");
  const text = is(notificationKind, record) ? record.body.message : undefined;
  must(text === facts.versions.at(-1)?.text, "no edit is lost");
}

function takeLease(watch: Watch, facts: Facts, { life, input }: CallOf<"claim">): void {
  facts.fence += 1;
  facts.attempt += 1;
  facts.wokenAt = null;
  facts.lease = { life, until: watch.storeNow() + input.leaseMs };
  const works = worksOf(facts, life);
  const isWaiting = works.sends < works.claims - works.unstarted;
  works.earlierStoreAt = isWaiting ? works.claimedStoreAt : null;
  works.claims += 1;
  works.order = nextOrder(watch.notes);
  works.claimedAt = watch.now();
  works.attemptAt = watch.now();
  works.claimedStoreAt = watch.storeNow();
  works.heard = "";
  works.members = null;
  works.leaseMs = input.leaseMs;
  const version = facts.versions.at(-1);
  if (version !== undefined) works.versions.push(version);
}

export function watchKeep(
  watch: Watch,
  { unit, answer, life }: { unit: Keep; answer: Kept | undefined; life: Life },
): void {
  if (answer === undefined) return;
  const { notes, marks } = watch;
  const facts = factsOf(notes, unit.id);
  checkFence(watch, facts, unit.fence, answer.result);
  marks.reached(`keep answered ${answer.result}`);
  if (answer.result !== "kept" || facts.lease === null) return;
  if (watch.storeNow() >= facts.lease.until) marks.reached("kept after the lease had lapsed");
  facts.lease.until = watch.storeNow() + unit.leaseMs;
  worksOf(facts, life).claimedAt = watch.now();
  takeProgress(watch, facts, unit, life);
  if (answer.cancelling) marks.reached("keep heard of a cancel");
  const told = answer.cancelling || !facts.cancelling;
  demand(notes, told, "a keep tells of a waiting cancel", () => unit.id);
}

/** The newest fence of a claimed record may write; no other may. */
export function checkFence(watch: Watch, facts: Facts, fence: number, result: string): void {
  const { notes } = watch;
  const good = facts.lease !== null && fence === facts.fence;
  const tell = (): string => `${facts.id}: fence ${fence} of ${facts.fence} answered ${result}`;
  if (good && result === "stale") {
    watch.history.read(facts.owner); // a cancel or an edit over the lapsed lease may have ended it
    demand(notes, facts.end !== null, "a good lease is not refused", tell);
  }
  const wrote =
    result === "written" ||
    result === "gap" ||
    result === "kept" ||
    result === "settled" ||
    result === "moved";
  demand(notes, good || !wrote, "an old fence changes nothing", tell);
}
