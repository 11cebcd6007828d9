import { fileHolder } from "../../kernel/files.ts";
import { is } from "../../kernel/kind.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { present } from "../../platform/json.ts";
import { inboxOf } from "../notifications/index.ts";
import {
  handlerCapacity,
  makeTask,
  type TaskKind,
  taskKind,
  retryOf,
  handlerRunner,
  type Rate,
  type TaskEvent,
} from "../tasks/index.ts";
import type { Handler } from "./handler.ts";
import type { EventKind } from "./kind.ts";

type Event = Pick<LedgerRecord<EventKind>, "id" | "body" | "priority" | "outcome">;

export interface TaskFacts {
  /** `task-20260207-001` */
  readonly id: string;
  readonly now: number;
  /** Where its messages go. */
  readonly target: string;
  /** The message that begins its thread. */
  readonly thread: string | null;
  /** The most tasks of handlers that run at once; null: any number. */
  readonly capacity: number | null;
}

/** The task that handles an event. Its key makes it the only one of this event and handler. */
export function eventTask(event: Event, handler: Handler, facts: TaskFacts): DraftOf<TaskKind> {
  const { name, type, hops, payload, origin } = event.body;
  const about: TaskEvent = {
    id: event.id,
    name,
    type,
    handler: handler.name,
    hops,
    repo: event.body.repo ?? handler.repo,
    payload,
    taskType: type,
    channels: handler.channels,
    thread: facts.thread,
  };
  const before = event.outcome?.task ?? null;
  const request = { event: event.id, handler: handler.name, before };
  const key = `event-task:${event.id}:${handler.name}${before === null ? "" : `:${before}`}`;
  return {
    ...handlerTask(about, handler, { ...facts, origin }),
    key: { name: key, asked: request },
    priority: event.priority,
  };
}

/** Messages go to the chat that requested the work, else to the handler's target, the default target, the inbox. */
export function targetFor(
  { origin, owner }: { origin: string | null; owner: string },
  handler: Pick<Handler, "target">,
  defaultTarget: string | null,
): string {
  return origin ?? handler.target ?? defaultTarget ?? inboxOf(owner);
}

/** Whether external workers claim it. */
export function isForWorkers<T extends { readonly body: Pick<TaskKind["body"], "event"> }>(
  record: T,
): record is T & { body: { event: TaskEvent } } {
  return record.body.event?.outside === true;
}

/** Whether its worker went away: the lease has run out, and there was no claim since. */
export function isAbandoned(record: AnyRecord, now: number): record is Claimed<TaskKind> {
  if (!is(taskKind, record) || !isForWorkers(record)) return false;
  const { lease, wakeAt } = record;
  if (lease === null || wakeAt === null) return false;
  return wakeAt <= now && !lease.holder.startsWith(fileHolder);
}

/** The starts of a handler's tasks are counted by its name. */
function rateOf({ name, rate }: Handler): Rate | undefined {
  return rate && { name, ...rate };
}

/** Makes every task of a handler. */
export function handlerTask(
  event: TaskEvent,
  handler: Handler,
  facts: TaskFacts & Pick<TaskKind["body"], "origin"> & { answers?: TaskKind["body"]["answers"] },
): DraftOf<TaskKind> {
  const { id, now, target, capacity, origin, answers } = facts;
  const runsHere = handler.run !== undefined;
  const { outside: _, ...about } = event; // from an earlier task, whose handler may have changed since
  // External workers use no capacity of this machine.
  const turns = capacity === null || !runsHere ? undefined : [handlerCapacity(capacity)];
  const body: TaskKind["body"] = {
    ...handlerRunner(handler, event),
    at: now,
    target,
    origin,
    timeoutMs: handler.timeoutMs,
    retry: retryOf(handler.retries, handler.pauses),
    event: runsHere ? about : { ...about, outside: true },
    ...present({ turns, answers, rate: runsHere ? rateOf(handler) : undefined }),
  };
  // An external worker claims one task by its own lane.
  return { ...makeTask(body), id, lane: runsHere ? undefined : id };
}
