import { isoOf } from "../../platform/iso-time.ts";
import type { Json } from "../../platform/json.ts";

/** What a task handles, with its handler as that was when it was made: a later setting changes nothing of it. */
export interface TaskEvent {
  /** The event's record. */
  id: string;
  /** Its source's name for it, or `schedule-{name}`. */
  name: string;
  type: string;
  handler: string;
  hops: number;
  repo: string | null;
  payload: Payload;
  /** What kind of work it is: the event's type, `resume`, or a schedule's own word. */
  taskType: string;
  /** Where its results may ask to be told beside. */
  channels: readonly string[];
  /** The message that began the thread it speaks in; null: it speaks where its target is. */
  thread: string | null;
  /** Nobody here runs it: it waits for whoever claims it from outside. */
  outside?: true;
  /** Of one that goes on after an answer. */
  sessionId?: string;
  answer?: string;
}

export interface Payload {
  readonly [name: string]: Json;
}

export const typeShape = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+){0,9}$/;
export const typeCharsMax = 100;

/** `github.pr.review_requested` */
export function isEventType(type: string): boolean {
  return type.length <= typeCharsMax && typeShape.test(type);
}

/** A task as whoever runs it is told of it. */
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
