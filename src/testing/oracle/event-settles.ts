import type { EventKind } from "../../features/events/kind.ts";
import { questionKind } from "../../features/events/question.ts";
import { type NotificationKind, notificationKind } from "../../features/notifications/kind.ts";
import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import {
  type Draft,
  type DraftOf,
  type Edit,
  type Consequences,
  isDraft,
} from "../../kernel/unit.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import { handlers } from "../simulator/event-handlers.ts";
import type { Watch } from "./calls.ts";
import type { EventPlan } from "./event-notes.ts";
import { type Facts } from "./facts.ts";
import { checkInvariant } from "./model.ts";

/** So many others may lead to one that is handled. */
const hopsMax = 8;

/** One settle of an event: it is given to whoever handles it, with a task in the same unit, or it ends. */
export function watchEvent(watch: Watch, facts: Facts, unit: SettleOf<Shape>): void {
  const { model, marks } = watch;
  const plan = model.eventWork.events.get(facts.id);
  if (plan === undefined) return;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(
      model,
      holds,
      invariant,
      () => `${JSON.stringify(plan)}: ${JSON.stringify(unit)}`,
    );
  const tasks = tasksIn(unit.consequences);
  watch.history.read(facts.owner);
  must(!facts.cancelling || tasks.length === 0, "a cancelled event gets no task");
  if (facts.cancelling)
    return marks.reached("an event was cancelled while it was being dispatched");
  const isGiven = "state" in unit && unit.state === "dispatched" && !plan.isDispatched;
  if (isGiven) {
    must(tasks.length === 1, "an event and its task are one unit");
    const [task] = tasks;
    if (task !== undefined) checkGiven(watch, { plan, task, unit });
    plan.isDispatched = true;
    return marks.reached("an event was dispatched");
  }
  must(tasks.length === 0, "an event has one task");
  if ("ends" in unit && !plan.isDispatched) {
    marks.reached("an event was discarded");
    const isReply = plan.type.endsWith(".thread.reply");
    must(isReply || handlerOf(plan) === undefined, "an event with a handler is not discarded");
  }
  if ("state" in unit && unit.state === "pending")
    marks.reached("an event waits for better health");
}

interface Given {
  readonly plan: EventPlan;
  readonly task: DraftOf<TaskKind>;
  readonly unit: SettleOf<Shape>;
}

/** Nothing is given to nobody; one line of attempts for each event and handler; a thread that begins with it. */
function checkGiven(watch: Watch, { plan, task, unit }: Given): void {
  const { eventWork } = watch.model;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(watch.model, holds, invariant, () => JSON.stringify([plan, unit]));
  const { event } = task.body;
  must(event?.id === plan.id, "a task references its event");
  if (event === undefined) return;
  must(knows(unit, task), "an event references its task");
  if (event.taskType === "resume") return checkResume(watch, task, unit.consequences);
  must(handlerOf(plan) === event.handler, "an event goes to the first handler that subscribes");
  must((task.priority ?? "normal") === plan.priority, "a task has the priority of its event");
  const line = `${plan.id} ${event.handler}`;
  must((eventWork.lines.get(line) ?? task.id) === task.id, "one task for each event and handler");
  eventWork.lines.set(line, task.id ?? "");
  const begins = messagesIn(unit.consequences).some(
    ({ id, body }) => id === event.thread && body.relatedTaskId === task.id && !body.thread,
  );
  must(event.thread === null || begins, "a thread starts in the unit that writes its task");
}

function knows(unit: SettleOf<Shape>, { id, body }: DraftOf<TaskKind>): boolean {
  const outcome = unit.outcome as EventKind["outcome"] | undefined;
  return outcome?.task === id && outcome?.handler === body.event?.handler;
}

/** Who handles it, as it is set; undefined: nobody. */
function handlerOf({ type, hops }: EventPlan): string | undefined {
  if (hops > hopsMax) return undefined;
  return handlers.find(({ subscribes }) => subscribes.includes(type))?.name;
}

function tasksIn(consequences: Consequences | undefined): readonly DraftOf<TaskKind>[] {
  return (consequences?.append ?? []).filter((draft) => isDraft(taskKind, draft));
}

/** An answer that somebody gives by hand. */
export function watchAnswer(
  watch: Watch,
  edit: Edit,
  consequences: Consequences | undefined,
): void {
  if (!is(questionKind, edit)) return;
  for (const task of tasksIn(consequences)) {
    checkResume(watch, task, { ...consequences, edit: [edit, ...(consequences?.edit ?? [])] });
  }
}

/** The answer and the task that goes on with it are one unit, and there is one such task. */
function checkResume(
  watch: Watch,
  task: DraftOf<TaskKind>,
  consequences: Consequences | undefined,
): void {
  const { model, marks } = watch;
  const { questions } = model.eventWork;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => JSON.stringify([task, consequences]));
  const edits = (consequences?.edit ?? []).filter((edit) => is(questionKind, edit));
  const [answer] = edits;
  must(
    edits.length === 1 && answer !== undefined,
    "an answer and the task that resumes are one unit",
  );
  if (answer === undefined) return;
  must("ends" in answer && answer.ends === "answered", "an answer ends its question");
  must(
    answer.outcome?.resumed === task.id,
    "an answered question references the task that resumes",
  );
  const before = questions.get(answer.id) ?? task.id ?? null;
  must(before === task.id, "a question is answered once, and one task resumes");
  must(task.priority === "high", "a resumed task has high priority");
  questions.set(answer.id, task.id ?? null);
  marks.reached("a task resumed with an answer");
}

/** Of drafts of a unit, those that are messages. */
export function messagesIn(
  consequences: Consequences | undefined,
): readonly DraftOf<NotificationKind>[] {
  return (consequences?.append ?? []).filter((draft: Draft) => isDraft(notificationKind, draft));
}
