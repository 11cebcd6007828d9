import type { DraftOf, Hold } from "../../kernel/unit.ts";
import type { NotificationKind } from "../notifications/kind.ts";
import { isThread } from "../notifications/thread.ts";
import { handlerCapacity } from "../tasks/holds.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { retryOf, runnerOf, type RunTemplate } from "../tasks/run-spec.ts";
import type { TaskEvent, Payload } from "../tasks/task-event.ts";
import { startMessage } from "../tasks/thread-message.ts";

/** What a handler does again and again, with the handler as that is set. */
export interface ScheduleEvent {
  handler: string;
  /** What it is called in the handler: its tasks are of `schedule-{name}`. */
  name: string;
  taskType: string;
  payload: Payload;
  repo: string | null;
  channels: readonly string[];
  retries: number;
  /** How many tasks of handlers may be at work at once; null: as many as there are, as for those who work outside. */
  places: number | null;
}

/** Names for a task and for what begins its thread: `task-20260207-001`, `msg-20260207-001`. */
export interface Labels {
  readonly task: string;
  readonly message: string;
}

interface Slotted {
  readonly run: RunTemplate;
  readonly target: string;
  /** Names it must hold to run beside its place. */
  readonly turns?: readonly Hold[] | undefined;
  /** Absent: the store names it, and it has no thread of its own. */
  readonly labels?: Labels | undefined;
}

/** What makes a slot's task one of a handler. */
export function handlerSlot(
  event: ScheduleEvent,
  { run, target, turns = [], labels }: Slotted,
): Pick<TaskKind["body"], "name" | "input" | "in" | "event" | "retry" | "turns"> {
  const { handler, retries, places, name: own, ...same } = event;
  const name = `schedule-${own}`;
  const about: TaskEvent = {
    ...same,
    id: name,
    name,
    type: event.taskType,
    handler,
    hops: 0,
    thread: labels === undefined || isThread(target) ? null : labels.message,
    ...(places === null ? { outside: true } : {}),
  };
  const held = places === null ? turns : [...turns, handlerCapacity(places)];
  return {
    ...runnerOf({ name: handler, run }, about),
    event: about,
    retry: retryOf(retries),
    ...(held.length === 0 ? {} : { turns: held }),
  };
}

/** Such a task that was made without names, with them. */
export function threaded(
  draft: DraftOf<TaskKind>,
  labels: Labels,
  now: number,
): { task: DraftOf<TaskKind>; starts: readonly DraftOf<NotificationKind>[] } {
  const { event, target } = draft.body;
  if (event === undefined) return { task: draft, starts: [] };
  const thread = isThread(target) ? null : labels.message;
  const id = labels.task;
  const lane = event.outside === true ? { lane: id } : {};
  const task = { ...draft, ...lane, id, body: { ...draft.body, event: { ...event, thread } } };
  return { task, starts: slotStart(task, labels, now) };
}

/** What begins the thread of such a task. */
export function slotStart(
  { body }: DraftOf<TaskKind>,
  { task, message: id }: Labels,
  now: number,
): readonly DraftOf<NotificationKind>[] {
  const { event } = body;
  if (event === undefined) return [];
  const began = startMessage({ id: task, body: { ...body, event } }, now);
  return began === undefined ? [] : [{ ...began, id, parent: task }];
}
