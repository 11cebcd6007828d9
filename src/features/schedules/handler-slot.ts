import * as z from "zod";
import { count } from "../../kernel/schemas.ts";
import type { DraftOf, Hold } from "../../kernel/unit.ts";
import { type NotificationKind, isThread } from "../notifications/index.ts";
import {
  handlerCapacity,
  type TaskKind,
  retryOf,
  handlerRunner,
  type RunTemplate,
  payload,
  type TaskEvent,
  startMessage,
} from "../tasks/index.ts";
/** The work of a handler's own schedule, with the handler as it is set. */
export const scheduleEvent = z.strictObject({
  handler: z.string(),
  /** Its name in the handler: its tasks are of `schedule-{name}`. */
  name: z.string(),
  taskType: z.string(),
  payload,
  repo: z.string().nullable(),
  channels: z.array(z.string()).readonly(),
  retries: count,
  /** How many tasks of handlers may run at once; null: unlimited, as for workers outside. */
  capacity: z.int().nullable(),
});
export type ScheduleEvent = z.output<typeof scheduleEvent>;

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
  const { handler, retries, capacity, name: own, ...same } = event;
  const name = `schedule-${own}`;
  const about: TaskEvent = {
    ...same,
    id: name,
    name,
    type: event.taskType,
    handler,
    hops: 0,
    thread: labels === undefined || isThread(target) ? null : labels.message,
    ...(capacity === null ? { outside: true } : {}),
  };
  const held = capacity === null ? turns : [...turns, handlerCapacity(capacity)];
  return {
    ...handlerRunner({ name: handler, run }, about),
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
