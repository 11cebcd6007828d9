import { type NagKind, nagKind } from "../../features/nags/kind.ts";
import { type NotificationKind, notificationKind } from "../../features/notifications/kind.ts";
import type { Body, Outcome, Shape } from "../../kernel/shape.ts";
import { type Draft, type DraftOf, type Edit, isEdit, isDraft } from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type ProcessWork } from "./facts.ts";
import { checkInvariant, factsOf, type Model } from "./model.ts";
import { checkDistance, checkHours, isAwake } from "./nag-times.ts";

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
  readonly nagOf: Map<string, string>;
  readonly minutes: Map<string, string>;
}

export function recordNag(model: Model, id: string, owner: string, draft: Draft): void {
  if (!isDraft(nagKind, draft) || draft.outcome === undefined) return;
  const { body, outcome, priority } = draft;
  const isUrgent = priority === "high";
  const plan = { id, owner, body, outcome, state: "active", isUrgent, rounds: new Map() };
  model.nags.plans.set(id, plan);
}

/** What a person makes of it: what was planned before counts no more. */
export function recordNagEdit({ model, marks }: Watch, edit: Edit): void {
  const plan = model.nags.plans.get(edit.id);
  if (!isEdit(nagKind, edit) || plan === undefined) return;
  const { body = plan.body, outcome = plan.outcome } = edit;
  if (plan.outcome.saying !== null && outcome.saying === null) {
    marks.reached("a nag was changed while it was being sent");
  }
  const isKept = outcome.count === plan.outcome.count && outcome.round === plan.outcome.round;
  checkInvariant(model, isKept, "an edit does not change the count or the round", () =>
    JSON.stringify([edit, plan]),
  );
  plan.body = body;
  recordOutcome(model, plan, outcome);
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
  const plan = watch.model.nags.plans.get(edit.id);
  const saying = before?.saying ?? null;
  if (plan === undefined || saying === null || plan.outcome.saying === saying) return;
  watch.history.read(plan.owner);
  const { end, cancelling } = factsOf(watch.model, saying);
  const detail = (): string => `${saying} of ${edit.id}: ${JSON.stringify(edit)}`;
  checkInvariant(
    watch.model,
    end !== null || cancelling,
    "a changed nag recalls its notification",
    detail,
  );
}

/** One more settle of a nag: what was said, counted and planned. */
export function watchNag(
  watch: Watch,
  facts: Facts,
  unit: SettleOf<Shape>,
  work: ProcessWork,
): void {
  const plan = watch.model.nags.plans.get(facts.id);
  if (plan === undefined) return;
  watch.history.read(plan.owner);
  const outcome = (unit.outcome as Outcome<NagKind> | undefined) ?? plan.outcome;
  const said = roundDrafts(unit, facts.id);
  const step: Step = { plan, outcome, unit, work };
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const [first, ...more] = said;
  must(more.length === 0, "a settle sends at most one notification of a nag");
  must(
    (first !== undefined) === outcome.round > plan.outcome.round,
    "each notification of a nag is a new round",
  );
  if (first !== undefined) checkRound(watch, step, first);
  checkCount(watch, step);
  if (!facts.cancelling && "state" in unit) checkPlan(watch, step);
  recordOutcome(watch.model, plan, "ends" in unit || facts.end !== null ? ended(outcome) : outcome);
  plan.state = "state" in unit && facts.end === null ? unit.state : "ended";
  if (plan.state === "paused") watch.marks.reached("a nag paused itself");
}

interface Step {
  readonly plan: NagPlan;
  readonly outcome: Outcome<NagKind>;
  readonly unit: SettleOf<Shape>;
  readonly work: ProcessWork;
}

function mustHold({ model }: Watch, step: Step, holds: boolean, invariant: string): void {
  const { plan, unit } = step;
  checkInvariant(model, holds, invariant, () => `${JSON.stringify(unit)}; ${JSON.stringify(plan)}`);
}

/** Not those for whoever hears it too. */
function roundDrafts({ consequences }: SettleOf<Shape>, id: string): DraftOf<NotificationKind>[] {
  const drafts = (consequences?.append ?? []).filter((draft) => isDraft(notificationKind, draft));
  return drafts.filter(({ body, parent }) => body.wakesParent === true && (parent ?? id) === id);
}

/** It is said when its time has come, to somebody who still wants to hear it, and not twice at once. */
function checkRound(watch: Watch, step: Step, draft: DraftOf<NotificationKind>): void {
  const { model, marks } = watch;
  const { plan, outcome, work } = step;
  const { body, state, rounds } = plan;
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const id = draft.id ?? "";
  must(state === "active" && body.isDone !== true, "a done, paused or deleted nag is not sent");
  must(!rounds.has(outcome.round) && !model.nags.nagOf.has(id), "each round is one notification");
  must(outcome.saying === id, "a nag references its pending notification");
  const before = factsOf(model, rounds.get(plan.outcome.round) ?? "");
  const isOver = before.row === null || before.end !== null || before.cancelling;
  must(isOver, "a nag has at most one pending notification");
  const at = plan.outcome.asked === body.asked ? (plan.outcome.nextAt ?? body.at) : body.at;
  must(draft.body.at === at && at <= model.storeNowMax, "a nag is sent at its time, never early");
  const isAsked = plan.outcome.counted === null && plan.outcome.failures === 0;
  must(isAsked || isAwake(watch, plan, work), "a computed time is not sent outside open hours");
  must(!factsOf(model, plan.id).cancelling, "a done, paused or deleted nag is not sent");
  marks.reached(
    isAsked ? "a nag was sent at its requested time" : "a nag was sent at a computed time",
  );
  if (outcome.round > 2) marks.reached("a nag was sent for the third time");
  rounds.set(outcome.round, id);
  model.nags.nagOf.set(id, plan.id);
}

/** Only what arrived is counted, and all of it. */
function checkCount(watch: Watch, step: Step): void {
  const { model, marks } = watch;
  const { plan, outcome } = step;
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const { saying, recalled: takenBack, count } = plan.outcome;
  const end = factsOf(model, saying ?? takenBack ?? "").end?.state;
  const isHeard =
    saying !== null && outcome.saying === null && plan.outcome.asked === outcome.asked;
  const counted = outcome.count - count;
  must(counted === 0 || counted === 1, "the count rises by one at most");
  must(counted === 0 || end === "delivered", "only a delivered notification is counted");
  if (isHeard && "state" in step.unit) {
    marks.reached(`a notification of a nag ended ${end}`);
    must(end !== undefined, "a nag waits until its notification ends");
    // What was forgotten before anybody looked is said once more.
    const isKnown = watch.engine.get({ who: { owner: plan.owner, by: "oracle" }, id: saying });
    const isArrived = end === "delivered" && isKnown !== undefined;
    must(!isArrived || counted === 1, "a delivered notification is counted");
    must(
      !isArrived || outcome.lastDelivered === saying,
      "a nag references its last delivered notification",
    );
  }
  const states = [...plan.rounds.values()].map((id) => factsOf(model, id).end?.state);
  const delivered = states.filter((each) => each === "delivered").length;
  must(outcome.count - 1 <= delivered, "the count does not exceed the delivered rounds");
}

/** A time that was computed is the curve's, in the reader's waking hours, in a minute of its own. */
function checkPlan(watch: Watch, step: Step): void {
  const { model, marks } = watch;
  const { plan, outcome } = step;
  const { nextAt, counted, failures } = outcome;
  if (nextAt === null || (counted === null && failures === 0)) return;
  if (nextAt === plan.outcome.nextAt) return;
  const must = (holds: boolean, invariant: string): void => mustHold(watch, step, holds, invariant);
  const holder = model.nags.minutes.get(minuteKey(plan.owner, nextAt)) ?? plan.id;
  must(holder === plan.id, "two computed times of an owner never share a minute");
  must(checkHours(watch, plan, nextAt, step.work), "a computed time is within open hours");
  if (failures > 0) return marks.reached("a failed nag was retried");
  must(checkDistance(plan, outcome, step.work), "intervals between rounds follow the curve");
  if (nextAt % 3_600_000 !== 0) marks.reached("a computed time moved to a free minute");
}

function ended(outcome: Outcome<NagKind>): Outcome<NagKind> {
  return { ...outcome, nextAt: null };
}

function recordOutcome(model: Model, plan: NagPlan, outcome: Outcome<NagKind>): void {
  const { nextAt } = plan.outcome;
  if (nextAt !== null) {
    const key = minuteKey(plan.owner, nextAt);
    if (model.nags.minutes.get(key) === plan.id) model.nags.minutes.delete(key);
  }
  plan.outcome = outcome;
  const isComputed = outcome.counted !== null || outcome.failures > 0;
  if (outcome.nextAt === null || !isComputed) return;
  model.nags.minutes.set(minuteKey(plan.owner, outcome.nextAt), plan.id);
}

function minuteKey(owner: string, at: number): string {
  return `${owner} ${Math.floor(at / 60_000)}`;
}

/** What says it has ended: in that commit somebody must look at the nag. */
export function checkNagWoken(watch: Watch, facts: Facts): void {
  const nag = watch.model.nags.nagOf.get(facts.id);
  if (nag === undefined) return;
  watch.history.read(facts.owner);
  const { end } = facts;
  if (end === null) return;
  const record = watch.engine.get({ who: { owner: facts.owner, by: "oracle" }, id: nag });
  if (record === undefined || record.endedAt !== null || record.lease !== null) return;
  const isDue = record.wakeAt !== null && record.wakeAt <= watch.storeNow();
  const detail = (): string => `${facts.id} ${end.state}: ${JSON.stringify(record)}`;
  checkInvariant(watch.model, isDue, "the end of a notification wakes its nag", detail);
}
