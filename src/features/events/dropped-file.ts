import type { Priority } from "../../kernel/record.ts";
import type { DraftOf, Key } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";
import { makeNotification, type SeedType, type NotificationKind } from "../notifications/kind.ts";
import type { TaskKind } from "../tasks/kind.ts";
import type { Payload } from "../tasks/task-event.ts";
import { handlerTask, speaksAt, type TaskMaking } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import { makeEvent, type EventMaking, type EventKind } from "./kind.ts";

/** Files that other programs write, in the words of the folders they lie in. Their form is checked before. */
interface File {
  readonly id: string;
  readonly created_at?: string;
  readonly priority?: Priority;
}

export interface EventFile extends File {
  readonly type: string;
  readonly source: string;
  readonly repo?: string | null;
  readonly payload?: Payload;
}

export function eventFromFile(file: EventFile, making: EventMaking): DraftOf<EventKind> {
  const { id: name, type, source, repo = null, payload = {}, priority } = file;
  const at = timeOf(file, making.now);
  const body = { name, type, source, repo, payload, at, origin: null, hops: 0 };
  return makeEvent(body, { ...making, ...(priority === undefined ? {} : { priority }) });
}

export interface TaskFile extends File {
  readonly event_id?: string | null;
  readonly target_general: string;
  readonly type: string;
  readonly event_type?: string;
  readonly repo?: string | null;
  readonly payload?: Payload;
  readonly session_id?: string;
  readonly answer?: string;
}

/** In whose book it is dropped, and where work speaks there that no chat asked for. */
interface Dropping extends Pick<TaskMaking, "now" | "places"> {
  readonly owner: string;
  readonly speaksTo: string | null;
}

export function taskFromFile(
  file: TaskFile,
  handlers: readonly Handler[],
  { owner, speaksTo, ...making }: Dropping,
): DraftOf<TaskKind> {
  const { id, event_id: cause, target_general: name, type, repo, payload = {}, priority } = file;
  const { event_type: eventType = type, session_id: sessionId, answer } = file;
  const handler = handlers.find((each) => each.name === name);
  if (handler === undefined) {
    throw new DaybookError(
      "invalid",
      `No handler is called ${quote(name)}: name one that is set up.`,
    );
  }
  const event = {
    id: cause ?? id,
    name: cause ?? id,
    type: eventType,
    handler: name,
    hops: 0,
    repo: repo ?? handler.repo,
    payload,
    taskType: type,
    channels: handler.channels,
    thread: null,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(answer === undefined ? {} : { answer }),
  };
  const target = speaksAt({ origin: null, owner }, handler, speaksTo);
  const draft = handlerTask(event, handler, { ...making, target, id, thread: null, origin: null });
  return { ...draft, key: fileKey(id), priority: priority ?? "normal" };
}

export interface MessageFile extends Omit<File, "priority"> {
  readonly type: SeedType;
  readonly task_id?: string | null;
  /** A channel of Slack, or a target. */
  readonly channel: string;
  readonly urgency?: "normal" | "high" | "urgent";
  readonly content: string;
  readonly thread_ts?: string;
  readonly final?: boolean;
  readonly context?: Payload;
  readonly reply_context?: Payload;
  readonly track_conversation?: Payload;
  readonly source_ref?: Payload;
}

export function messageFromFile(file: MessageFile, now: number): DraftOf<NotificationKind> {
  const { id, type, task_id: task, channel, urgency = "normal", content, thread_ts: ts } = file;
  const place = channel.includes(":") ? channel : `slack:${channel}`;
  const draft = makeNotification(
    {
      message: content,
      at: now,
      atText: "now",
      target: ts === undefined ? place : `${place}:${ts}`,
      origin: null,
      type: "run",
      seedType: type,
      ...(typeof task === "string" ? { relatedTaskId: task } : {}),
      ...(file.final === true ? { final: true } : {}),
      ...besideOf(file),
    },
    urgency === "normal" ? {} : { priority: "high" },
  );
  return { ...draft, id, key: fileKey(id) };
}

/** So that what we give the same id is not taken for the same thing. */
function fileKey(id: string): Key {
  return { name: `file:${id}`, asked: id };
}

function besideOf({ urgency, ...file }: MessageFile): { beside?: { [name: string]: Json } } {
  const { context, reply_context, track_conversation, source_ref } = file;
  const own = urgency === "urgent" ? urgency : undefined; // for us it is as urgent as high
  const all = { urgency: own, context, reply_context, track_conversation, source_ref };
  const said = Object.entries(all).flatMap(([name, value]): [string, Json][] =>
    value === undefined ? [] : [[name, value]],
  );
  return said.length === 0 ? {} : { beside: Object.fromEntries(said) };
}

/** When it says it happened; nobody can say that it will. */
function timeOf({ created_at: text }: File, now: number): number {
  try {
    const at = Temporal.Instant.from(text ?? "").epochMilliseconds;
    return Math.min(Math.max(at, 0), now);
  } catch {
    return now;
  }
}
