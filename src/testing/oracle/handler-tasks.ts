import { type QuestionKind, questionKind } from "../../features/events/question.ts";
import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import { type DraftOf, isDraft } from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import { handlerCapacity } from "../simulator/event-handlers.ts";
import type { TaskResult } from "../simulator/handler-runner.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import type { Watch } from "./calls.ts";
import type { TaskPlan } from "./event-notes.ts";
import { messagesIn } from "./event-settles.ts";
import { workOf, type Facts, type ProcessWork } from "./facts.ts";
import { checkInvariant, factsOf } from "./model.ts";
import { checkLease } from "./sends.ts";

/** An attempt at a task of a handler begins, on a node or elsewhere. */
export function watchWork(
  watch: Watch,
  process: VirtualProcess,
  id: string,
  where: "here" | "outside",
): void {
  const { model, marks } = watch;
  const plan = model.eventWork.tasks.get(id);
  const facts = factsOf(model, id);
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(
      model,
      holds,
      invariant,
      () => `${process.name} works on ${id}: ${JSON.stringify(plan)}`,
    );
  must(plan !== undefined, "only a task of an event or an answer is run");
  if (plan === undefined) return;
  marks.reached(where === "here" ? "a task ran on a node" : "a task ran on an external worker");
  if (where === "here") checkLease(watch, facts, process); // a stranger does not know when its own is over
  plan.starts += 1;
  plan.atWork = { process, order: workOf(facts, process).order };
  plan.lastResults.delete(process);
  must(plan.starts <= plan.attemptsMax, "attempts do not exceed the allowed number");
  if (plan.starts > 1) marks.reached("a handler task was retried");
  const atWork = model.eventWork.tasks
    .values()
    .filter((each) => each.atWork !== null && each.takesCapacity);
  const count = plan.takesCapacity
    ? atWork.filter((each) => isLive(watch, each)).toArray().length
    : 0;
  if (count === handlerCapacity) marks.reached("all capacity for tasks is used");
  must(count <= handlerCapacity, "running tasks do not exceed the capacity");
}

/** A cancel over a lapsed lease ends it without a settle. */
function isLive({ engine }: Watch, { owner, id }: TaskPlan): boolean {
  return engine.get({ who: { owner, by: "oracle" }, id })?.endedAt === null;
}

/** What whoever works says of it. */
export function watchTaskResult(
  watch: Watch,
  process: VirtualProcess,
  id: string,
  result: TaskResult | null,
): void {
  const plan = watch.model.eventWork.tasks.get(id);
  if (plan === undefined) return;
  const { order } = workOf(factsOf(watch.model, id), process);
  plan.lastResults.set(process, { order, result });
  if (result !== null) plan.results.push(result);
}

const triedAgain = ["failed", "killed"];

/** A lease on a task of a handler ends. */
export function watchWorkEnd(
  watch: Watch,
  {
    facts,
    unit,
    process,
    work,
  }: { facts: Facts; unit: SettleOf<Shape>; process: VirtualProcess; work: ProcessWork },
): void {
  const { model, engine, marks } = watch;
  const plan = model.eventWork.tasks.get(facts.id);
  if (plan === undefined) return;
  const isGivenBack = "state" in unit && unit.freshStart === true;
  // What was given back counts as if it had not begun; what was cut off under an earlier claim has begun.
  const isOwn = plan.atWork?.process === process && plan.atWork.order === work.order;
  if (isGivenBack && isOwn) plan.starts -= 1;
  plan.atWork = null;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => JSON.stringify([plan, unit]));
  if ("ends" in unit) return checkWorkEnd(watch, plan, unit);
  const isTriedAgain = !isGivenBack && !facts.cancelling;
  must(
    !isTriedAgain || mayTryAgain(plan, process, work),
    "only a failed or interrupted attempt is retried",
  );
  must(questionsIn(unit).length === 0, "a task ends when it asks a question");
  const who = { owner: plan.owner, by: "oracle" };
  const isOver = engine.get({ who, id: plan.id })?.endedAt !== null;
  if (isOver) marks.reached("a handler task was cancelled");
  must(!isOver || isEventOver(watch, plan), "an event ends with its task");
}

/** What this life said of the attempt that it was handed last, if it said anything. */
function mayTryAgain(
  { lastResults }: TaskPlan,
  process: VirtualProcess,
  { order }: ProcessWork,
): boolean {
  const last = lastResults.get(process);
  const result = last?.order === order ? last.result : null;
  return result === null || triedAgain.includes(statusOf(result));
}

function statusOf(result: TaskResult | null): string {
  const status = result?.["status"];
  return typeof status === "string" ? status : "none";
}

function checkWorkEnd(
  watch: Watch,
  plan: TaskPlan,
  unit: SettleOf<Shape> & { ends: string },
): void {
  const { model, marks } = watch;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => JSON.stringify([plan, unit]));
  const outcome = unit.outcome as TaskKind["outcome"] | undefined;
  const result = (outcome?.result ?? null) as TaskResult | null;
  const status = statusOf(result);
  marks.reached(`a handler task ended as ${status}`);
  must(result?.["task_id"] === plan.id, "a result names the task that it ends");
  const isReported = plan.results.some((result) => result["status"] === status);
  must(
    isReported || triedAgain.includes(status),
    "a task ends with the status its worker reported",
  );
  must(isEventOver(watch, plan), "an event ends with its task");
  const questions = questionsIn(unit);
  const isAsking = status === "needs_human";
  must(questions.length === Number(isAsking), "a task that needs a person asks one question");
  must(!isAsking || questions[0]?.body.task === plan.id, "a question references its task");
  const own = messagesIn(unit.consequences).filter(({ body }) => body.relatedTaskId === plan.id);
  const asked = own.filter(({ body }) => body.relatedQuestionId !== undefined);
  const ends = own.filter((draft) => draft.body.final === true && "state" in draft);
  must(asked.length === Number(isAsking), "a question is sent once");
  must(ends.length === Number(!isAsking), "the end of a task is sent once");
  for (const draft of [...asked, ...ends]) {
    must(isInPlace(plan, draft, result), "the messages of a task go to its thread");
  }
}

/** In its thread, or where its result may ask to be told. */
function isInPlace(
  plan: TaskPlan,
  { body }: DraftOf<NotificationKind>,
  result: TaskResult | null,
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
function isEventOver({ engine }: Watch, { owner, event }: TaskPlan): boolean {
  const record = engine.get({ who: { owner, by: "oracle" }, id: event });
  return record === undefined || record.endedAt !== null;
}
