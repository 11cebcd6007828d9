import * as z from "zod";
import type { AnyRecord } from "../../kernel/record.ts";
import { count, json } from "../../kernel/schemas.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { present, type Json } from "../../platform/json.ts";

export const payload = z.record(z.string(), json).readonly();
export type Payload = z.output<typeof payload>;

/** The event that a task handles, and its handler as configured when the task was made. */
export const taskEvent = z.strictObject({
  /** The event's record. */
  id: z.string(),
  /** The name that its source gave it, or `schedule-{name}`. */
  name: z.string(),
  type: z.string(),
  handler: z.string(),
  hops: count,
  repo: z.string().nullable(),
  payload,
  /** The type of work: the type of the event, `resume`, or the type that a schedule sets. */
  taskType: z.string(),
  /** Further channels for its results. */
  channels: z.array(z.string()).readonly(),
  /** The message that started the thread of its messages; null: they are sent to its target. */
  thread: z.string().nullable(),
  /** Only external workers run it. */
  outside: z.literal(true).exactOptional(),
  /** Only of a task that an answer resumed. */
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

/** The task in JSON, as its runner receives it. */
export function taskJson(
  record: Pick<AnyRecord, "id" | "priority" | "createdAt"> & {
    readonly body: { readonly event?: TaskEvent };
  },
): Json {
  const { event } = record.body;
  if (event === undefined) return null;
  return present({
    id: record.id,
    event_id: event.id === record.id ? null : event.name, // a dropped task file may have no event
    target_general: event.handler,
    type: event.taskType,
    event_type: event.type,
    repo: event.repo,
    payload: event.payload,
    priority: record.priority,
    created_at: isoOf(record.createdAt),
    session_id: event.sessionId,
    answer: event.answer,
  });
}
