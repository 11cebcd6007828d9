import * as z from "zod";
import { count } from "../../kernel/schemas.ts";
import type { DraftOf, Hold } from "../../kernel/unit.ts";
import { present } from "../../platform/json.ts";
import { type NotificationKind, isThread } from "../notifications/index.ts";
import {
  handlerCapacity,
  type TaskKind,
  retryOf,
  handlerRunner,
  type RunTemplate,
  payload,
  rate,
  type TaskEvent,
  startMessage,
} from "../tasks/index.ts";

/** The event of a handler's schedule, with the handler's settings. */
export const scheduleEvent = z.strictObject({
  handler: z.string(),
  /** Its name in the handler. The event of its tasks is named `schedule-{name}`. */
  name: z.string(),
  taskType: z.string(),
  payload,
  repo: z.string().nullable(),
  channels: z.array(z.string()).readonly(),
  retries: count,
  pauses: z
    .strictObject({ firstMs: z.number(), factor: z.number(), maxMs: z.number() })
    .exactOptional(),
  rate: rate.exactOptional(),
  /** How many tasks of handlers may run at once; null: unlimited, as for workers outside. */
  capacity: z.int().nullable(),
});
export type ScheduleEvent = z.output<typeof scheduleEvent>;

/** Names for a task and for the first message of its thread: `task-20260207-001`, `msg-20260207-001`. */
export interface Labels {
  readonly task: string;
  readonly message: string;
}

interface HandlerRun {
  readonly run: RunTemplate;
  readonly target: string;
  /** Names that it must hold to run, beside a slot of the handlers' capacity. */
  readonly turns?: readonly Hold[] | undefined;
  /** Absent: the store gives it an id, and it has no thread of its own. */
  readonly labels?: Labels | undefined;
}

/** The parts of a task that make it a handler's. */
export function handlerSlot(
  event: ScheduleEvent,
  { run, target, turns = [], labels }: HandlerRun,
): Pick<TaskKind["body"], "name" | "input" | "in" | "event" | "retry" | "turns" | "rate"> {
  const { handler, retries, pauses, rate: limit, capacity, name: own, ...same } = event;
  const name = `schedule-${own}`;
  const taskEvent: TaskEvent = present({
    ...same,
    id: name,
    name,
    type: event.taskType,
    handler,
    hops: 0,
    thread: labels === undefined || isThread(target) ? null : labels.message,
    outside: capacity === null ? true : undefined,
  });
  const held = capacity === null ? turns : [...turns, handlerCapacity(capacity)];
  return present({
    ...handlerRunner({ name: handler, run }, taskEvent),
    event: taskEvent,
    retry: retryOf(retries, pauses),
    rate: capacity === null ? undefined : limit,
    turns: held.length === 0 ? undefined : held,
  });
}

/** Adds names and a thread to a handler's task that was created without. */
export function threaded(
  draft: DraftOf<TaskKind>,
  labels: Labels,
  now: number,
): { task: DraftOf<TaskKind>; starts: readonly DraftOf<NotificationKind>[] } {
  const { event, target } = draft.body;
  if (event === undefined) return { task: draft, starts: [] };
  const thread = isThread(target) ? null : labels.message;
  const id = labels.task;
  const lane = event.outside === true ? id : draft.lane;
  const task = { ...draft, lane, id, body: { ...draft.body, event: { ...event, thread } } };
  return { task, starts: slotStart(task, labels, now) };
}

/** The first message of the thread of a handler's task. */
export function slotStart(
  { body }: DraftOf<TaskKind>,
  { task, message: id }: Labels,
  now: number,
): readonly DraftOf<NotificationKind>[] {
  const { event } = body;
  if (event === undefined) return [];
  const message = startMessage({ id: task, body: { ...body, event } }, now);
  return message === undefined ? [] : [{ ...message, id, parent: task }];
}
