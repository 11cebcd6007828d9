import * as z from "zod";
import { count, json } from "../../kernel/schemas.ts";
import { isoOf } from "../../platform/iso-time.ts";
import type { Json } from "../../platform/json.ts";

export const payload = z.record(z.string(), json).readonly();
export type Payload = z.output<typeof payload>;

/** What a task handles, with its handler as that was when it was made: a later setting changes nothing of it. */
export const taskEvent = z.strictObject({
  /** The event's record. */
  id: z.string(),
  /** Its source's name for it, or `schedule-{name}`. */
  name: z.string(),
  type: z.string(),
  handler: z.string(),
  hops: count,
  repo: z.string().nullable(),
  payload,
  /** What kind of work it is: the event's type, `resume`, or a schedule's own word. */
  taskType: z.string(),
  /** Further channels that its results may be sent to. */
  channels: z.array(z.string()).readonly(),
  /** The message that started the thread of its messages; null: they go to its target. */
  thread: z.string().nullable(),
  /** Only workers outside run it. */
  outside: z.literal(true).exactOptional(),
  /** Of one that was resumed with an answer. */
  sessionId: z.string().exactOptional(),
  answer: z.string().exactOptional(),
});
export type TaskEvent = z.output<typeof taskEvent>;

export const typeShape = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+){0,9}$/;
export const typeCharsMax = 100;

/** `github.pr.review_requested` */
export function isEventType(type: string): boolean {
  return type.length <= typeCharsMax && typeShape.test(type);
}

/** A task as its runner gets it. */
export function taskJson(record: {
  readonly id: string;
  readonly priority: string;
  readonly createdAt: number;
  readonly body: { readonly event?: TaskEvent };
}): Json {
  const { event } = record.body;
  if (event === undefined) return null;
  return {
    id: record.id,
    event_id: event.id === record.id ? null : event.name, // one that was dropped may be of no event
    target_general: event.handler,
    type: event.taskType,
    event_type: event.type,
    repo: event.repo,
    payload: event.payload,
    priority: record.priority,
    created_at: isoOf(record.createdAt),
    ...(event.sessionId === undefined ? {} : { session_id: event.sessionId }),
    ...(event.answer === undefined ? {} : { answer: event.answer }),
  };
}
