import { type QuestionKind, questionKind } from "../../features/events/question.ts";
import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import { type DraftOf, isDraft } from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import type { Life } from "../simulator/kernel.ts";
import { placesMax } from "../simulator/pipeline.ts";
import type { Said } from "../simulator/work-runner.ts";
import type { Watch } from "./calls.ts";
import { worksOf, type Facts, type Works } from "./facts.ts";
import { demand, factsOf } from "./notes.ts";
import { checkLease } from "./sends.ts";
import { messagesIn } from "./when-events.ts";
import type { WorkPlan } from "./when-notes.ts";

/** An attempt at a task of a handler begins, on a node or elsewhere. */
export function watchWork(watch: Watch, life: Life, id: string, where: "here" | "outside"): void {
  const { notes, marks } = watch;
  const plan = notes.when.works.get(id);
  const facts = factsOf(notes, id);
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `${life.name} works on ${id}: ${JSON.stringify(plan)}`);
  must(plan !== undefined, "only what an event or an answer asked for is worked on");
  if (plan === undefined) return;
  marks.reached(`work ${where}`);
  if (where === "here") checkLease(watch, facts, life); // a stranger does not know when its own is over
  plan.starts += 1;
  plan.atWork = { life, order: worksOf(facts, life).order };
  plan.lastSaid.delete(life);
  must(plan.starts <= plan.attemptsMax, "no more attempts than are allowed");
  if (plan.starts > 1) marks.reached("work was tried again");
  const atWork = notes.when.works.values().filter((each) => each.atWork !== null && each.hasPlace);
  const count = plan.hasPlace ? atWork.filter((each) => isLive(watch, each)).toArray().length : 0;
  if (count === placesMax) marks.reached("all places are taken");
  must(count <= placesMax, "no more at work than there are places");
}

/** A cancel over a lapsed lease ends it without a settle. */
function isLive({ engine }: Watch, { owner, id }: WorkPlan): boolean {
  return engine.get({ who: { owner, by: "oracle" }, id })?.endedAt === null;
}

/** What whoever works says of it. */
export function watchSaidOf(watch: Watch, life: Life, id: string, said: Said | null): void {
  const plan = watch.notes.when.works.get(id);
  if (plan === undefined) return;
  const { order } = worksOf(factsOf(watch.notes, id), life);
  plan.lastSaid.set(life, { order, said });
  if (said !== null) plan.said.push(said);
}

const triedAgain = ["failed", "killed"];

/** A lease on a task of a handler ends. */
export function watchWorkEnd(
  watch: Watch,
  { facts, unit, life, works }: { facts: Facts; unit: SettleOf<Shape>; life: Life; works: Works },
): void {
  const { notes, engine, marks } = watch;
  const plan = notes.when.works.get(facts.id);
  if (plan === undefined) return;
  const isGivenBack = "state" in unit && unit.freshStart === true;
  // What was given back counts as if it had not begun; what was cut off under an earlier claim has begun.
  const isOwn = plan.atWork?.life === life && plan.atWork.order === works.order;
  if (isGivenBack && isOwn) plan.starts -= 1;
  plan.atWork = null;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => JSON.stringify([plan, unit]));
  if ("ends" in unit) return checkWorkEnd(watch, plan, unit);
  const isTriedAgain = !isGivenBack && !facts.cancelling;
  must(
    !isTriedAgain || mayTryAgain(plan, life, works),
    "only what failed or was cut off is tried again",
  );
  must(questionsIn(unit).length === 0, "a question ends the task that asks it");
  const who = { owner: plan.owner, by: "oracle" };
  const isOver = engine.get({ who, id: plan.id })?.endedAt !== null;
  if (isOver) marks.reached("work was cancelled");
  must(!isOver || isEventOver(watch, plan), "an event ends with its task");
}

/** What this life said of the attempt that it was handed last, if it said anything. */
function mayTryAgain({ lastSaid }: WorkPlan, life: Life, { order }: Works): boolean {
  const last = lastSaid.get(life);
  const said = last?.order === order ? last.said : null;
  return said === null || triedAgain.includes(statusOf(said));
}

function statusOf(said: Said | null): string {
  const status = said?.["status"];
  return typeof status === "string" ? status : "none";
}

function checkWorkEnd(
  watch: Watch,
  plan: WorkPlan,
  unit: SettleOf<Shape> & { ends: string },
): void {
  const { notes, marks } = watch;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => JSON.stringify([plan, unit]));
  const outcome = unit.outcome as TaskKind["outcome"] | undefined;
  const result = (outcome?.result ?? null) as Said | null;
  const status = statusOf(result);
  marks.reached(`work ended ${status}`);
  must(result?.["task_id"] === plan.id, "a result is of the task that it ends");
  const isSaid = plan.said.some((said) => said["status"] === status);
  must(isSaid || triedAgain.includes(status), "a task ends as whoever ran it says");
  must(isEventOver(watch, plan), "an event ends with its task");
  const questions = questionsIn(unit);
  const isAsking = status === "needs_human";
  must(questions.length === Number(isAsking), "what needs a person asks one question");
  must(!isAsking || questions[0]?.body.task === plan.id, "a question is of the task that asks it");
  const own = messagesIn(unit.consequences).filter(({ body }) => body.relatedTaskId === plan.id);
  const asked = own.filter(({ body }) => body.relatedQuestionId !== undefined);
  const ends = own.filter((draft) => draft.body.final === true && "state" in draft);
  must(asked.length === Number(isAsking), "a question is asked once");
  must(ends.length === Number(!isAsking), "each end is told once");
  for (const draft of [...asked, ...ends]) {
    must(isInPlace(plan, draft, result), "what a task says is said in its thread");
  }
}

/** In its thread, or where its result may ask to be told. */
function isInPlace(
  plan: WorkPlan,
  { body }: DraftOf<NotificationKind>,
  result: Said | null,
): boolean {
  const asked = result?.["notify_channel"];
  const elsewhere = typeof asked === "string" ? `slack:${asked}` : undefined;
  const own = plan.target.split(":").slice(0, 2).join(":");
  if (elsewhere !== undefined && [own, ...plan.channels].includes(elsewhere)) {
    return body.target === elsewhere && body.thread === undefined;
  }
  return body.target === plan.target && (body.thread?.of ?? null) === plan.thread;
}

function questionsIn({ consequences }: SettleOf<Shape>): readonly DraftOf<QuestionKind>[] {
  return (consequences?.append ?? []).filter((draft) => isDraft(questionKind, draft));
}

/** It is asked right after the unit that ended the task. */
function isEventOver({ engine }: Watch, { owner, event }: WorkPlan): boolean {
  const record = engine.get({ who: { owner, by: "oracle" }, id: event });
  return record === undefined || record.endedAt !== null;
}
