import { type NagKind, nagKind } from "../../features/nags/kind.ts";
import { type NotificationKind, notificationKind } from "../../features/notifications/kind.ts";
import type { Body, Outcome, Shape } from "../../kernel/shape.ts";
import { type Draft, type DraftOf, type Edit, isEdit, isDraft } from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Works } from "./facts.ts";
import { checkDistance, checkHours, isAwake } from "./nag-times.ts";
import { demand, factsOf, type Notes } from "./notes.ts";

/** What is known of a nag, from what was asked and settled. */
export interface NagPlan {
  readonly id: string;
  readonly owner: string;
  body: Body<NagKind>;
  outcome: Outcome<NagKind>;
  state: string;
  readonly isUrgent: boolean;
  /** What said it, by its round. */
  readonly rounds: Map<number, string>;
}

export interface NagNotes {
  readonly plans: Map<string, NagPlan>;
  readonly sayings: Map<string, string>;
  readonly minutes: Map<string, string>;
}

export function takeNag(notes: Notes, id: string, owner: string, draft: Draft): void {
  if (!isDraft(nagKind, draft) || draft.outcome === undefined) return;
  const { body, outcome, priority } = draft;
  const isUrgent = priority === "high";
  const plan = { id, owner, body, outcome, state: "active", isUrgent, rounds: new Map() };
  notes.nags.plans.set(id, plan);
}

/** What a person makes of it: what was planned before counts no more. */
export function takeNagEdit({ notes, marks }: Watch, edit: Edit): void {
  const plan = notes.nags.plans.get(edit.id);
  if (!isEdit(nagKind, edit) || plan === undefined) return;
  const { body = plan.body, outcome = plan.outcome } = edit;
  if (plan.outcome.saying !== null && outcome.saying === null) {
    marks.reached("a nag was changed while it was said");
  }
  const isKept = outcome.count === plan.outcome.count && outcome.round === plan.outcome.round;
  demand(notes, isKept, "no person changes what is counted", () => JSON.stringify([edit, plan]));
  plan.body = body;
  takeOutcome(notes, plan, outcome);
  const state = "state" in edit ? (edit.state ?? plan.state) : "ended";
  if (state !== plan.state) marks.reached(`a nag became ${state}`);
  plan.state = state;
}

/** Whoever asks for something else takes back what says it, in the same unit. */
export function checkTakenBack(
  watch: Watch,
  edit: Edit,
  before: Outcome<NagKind> | undefined,
): void {
  const plan = watch.notes.nags.plans.get(edit.id);
  const saying = before?.saying ?? null;
  if (plan === undefined || saying === null || plan.outcome.saying === saying) return;
  watch.history.read(plan.owner);
  const { end, cancelling } = factsOf(watch.notes, saying);
  const tell = (): string => `${saying} of ${edit.id}: ${JSON.stringify(edit)}`;
  demand(watch.notes, end !== null || cancelling, "what says it is taken back with it", tell);
}

/** One more settle of a nag: what was said, counted and planned. */
export function watchNag(watch: Watch, facts: Facts, unit: SettleOf<Shape>, works: Works): void {
  const plan = watch.notes.nags.plans.get(facts.id);
  if (plan === undefined) return;
  watch.history.read(plan.owner);
  const outcome = (unit.outcome as Outcome<NagKind> | undefined) ?? plan.outcome;
  const said = sayingsOf(unit, facts.id);
  const step: Step = { plan, outcome, unit, works };
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const [first, ...more] = said;
  must(more.length === 0, "one notification says it at a time");
  must((first !== undefined) === outcome.round > plan.outcome.round, "each saying is a round");
  if (first !== undefined) checkSaying(watch, step, first);
  checkCount(watch, step);
  if (!facts.cancelling && "state" in unit) checkPlan(watch, step);
  takeOutcome(watch.notes, plan, "ends" in unit || facts.end !== null ? ended(outcome) : outcome);
  plan.state = "state" in unit && facts.end === null ? unit.state : "ended";
  if (plan.state === "paused") watch.marks.reached("a nag rests by itself");
}

interface Step {
  readonly plan: NagPlan;
  readonly outcome: Outcome<NagKind>;
  readonly unit: SettleOf<Shape>;
  readonly works: Works;
}

function mustHold({ notes }: Watch, step: Step, holds: boolean, invariant: string): void {
  const { plan, unit } = step;
  demand(notes, holds, invariant, () => `${JSON.stringify(unit)}; ${JSON.stringify(plan)}`);
}

/** Not those for whoever hears it too. */
function sayingsOf({ consequences }: SettleOf<Shape>, id: string): DraftOf<NotificationKind>[] {
  const drafts = (consequences?.append ?? []).filter((draft) => isDraft(notificationKind, draft));
  return drafts.filter(({ body, parent }) => body.wakesParent === true && (parent ?? id) === id);
}

/** It is said when its time has come, to somebody who still wants to hear it, and not twice at once. */
function checkSaying(watch: Watch, step: Step, draft: DraftOf<NotificationKind>): void {
  const { notes, marks } = watch;
  const { plan, outcome, works } = step;
  const { body, state, rounds } = plan;
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const id = draft.id ?? "";
  must(state === "active" && body.isDone !== true, "what is done, paused or deleted is not said");
  must(!rounds.has(outcome.round) && !notes.nags.sayings.has(id), "each round is one notification");
  must(outcome.saying === id, "a nag waits for what says it");
  const before = factsOf(notes, rounds.get(plan.outcome.round) ?? "");
  const isOver = before.row === null || before.end !== null || before.cancelling;
  must(isOver, "at most one is on its way");
  const at = plan.outcome.asked === body.asked ? (plan.outcome.nextAt ?? body.at) : body.at;
  must(draft.body.at === at && at <= notes.storeNowMax, "it is said at its time, never early");
  const isAsked = plan.outcome.counted === null && plan.outcome.failures === 0;
  must(isAsked || isAwake(watch, plan, works), "nobody is woken by a time that was computed");
  must(!factsOf(notes, plan.id).cancelling, "what is done, paused or deleted is not said");
  marks.reached(isAsked ? "a nag said when asked" : "a nag said when computed");
  if (outcome.round > 2) marks.reached("a nag said again and again");
  rounds.set(outcome.round, id);
  notes.nags.sayings.set(id, plan.id);
}

/** Only what arrived is counted, and all of it. */
function checkCount(watch: Watch, step: Step): void {
  const { notes, marks } = watch;
  const { plan, outcome } = step;
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const { saying, recalled: takenBack, count } = plan.outcome;
  const end = factsOf(notes, saying ?? takenBack ?? "").end?.state;
  const isHeard =
    saying !== null && outcome.saying === null && plan.outcome.asked === outcome.asked;
  const counted = outcome.count - count;
  must(counted === 0 || counted === 1, "the count rises by one");
  must(counted === 0 || end === "delivered", "only what arrived is counted");
  if (isHeard && "state" in step.unit) {
    marks.reached(`a nag heard ${end}`);
    must(end !== undefined, "a nag waits for the end of what says it");
    // What was forgotten before anybody looked is said once more.
    const isKnown = watch.engine.get({ who: { owner: plan.owner, by: "oracle" }, id: saying });
    const isArrived = end === "delivered" && isKnown !== undefined;
    must(!isArrived || counted === 1, "what arrived is counted");
    must(!isArrived || outcome.lastDelivered === saying, "the last that arrived is known");
  }
  const states = [...plan.rounds.values()].map((id) => factsOf(notes, id).end?.state);
  const delivered = states.filter((each) => each === "delivered").length;
  must(outcome.count - 1 <= delivered, "the count is of those that arrived");
}

/** A time that was computed is the curve's, in the reader's waking hours, in a minute of its own. */
function checkPlan(watch: Watch, step: Step): void {
  const { notes, marks } = watch;
  const { plan, outcome } = step;
  const { nextAt, counted, failures } = outcome;
  if (nextAt === null || (counted === null && failures === 0)) return;
  if (nextAt === plan.outcome.nextAt) return;
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const holder = notes.nags.minutes.get(minuteKey(plan.owner, nextAt)) ?? plan.id;
  must(holder === plan.id, "two computed times of an owner never share a minute");
  must(checkHours(watch, plan, nextAt, step.works), "a computed time is in waking hours");
  if (failures > 0) return marks.reached("a nag is tried again");
  must(checkDistance(plan, outcome, step.works), "distances are the curve's");
  if (nextAt % 3_600_000 !== 0) marks.reached("a nag got another minute");
}

function ended(outcome: Outcome<NagKind>): Outcome<NagKind> {
  return { ...outcome, nextAt: null };
}

function takeOutcome(notes: Notes, plan: NagPlan, outcome: Outcome<NagKind>): void {
  const { nextAt } = plan.outcome;
  if (nextAt !== null) {
    const key = minuteKey(plan.owner, nextAt);
    if (notes.nags.minutes.get(key) === plan.id) notes.nags.minutes.delete(key);
  }
  plan.outcome = outcome;
  const isComputed = outcome.counted !== null || outcome.failures > 0;
  if (outcome.nextAt === null || !isComputed) return;
  notes.nags.minutes.set(minuteKey(plan.owner, outcome.nextAt), plan.id);
}

function minuteKey(owner: string, at: number): string {
  return `${owner} ${Math.floor(at / 60_000)}`;
}

/** What says it has ended: in that commit somebody must look at the nag. */
export function checkNagWoken(watch: Watch, facts: Facts): void {
  const nag = watch.notes.nags.sayings.get(facts.id);
  if (nag === undefined) return;
  watch.history.read(facts.owner);
  const { end } = facts;
  if (end === null) return;
  const record = watch.engine.get({ who: { owner: facts.owner, by: "oracle" }, id: nag });
  if (record === undefined || record.endedAt !== null || record.lease !== null) return;
  const isDue = record.wakeAt !== null && record.wakeAt <= watch.storeNow();
  const tell = (): string => `${facts.id} ${end.state}: ${JSON.stringify(record)}`;
  demand(watch.notes, isDue, "the end of what says it wakes a nag", tell);
}
