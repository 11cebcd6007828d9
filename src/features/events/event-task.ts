import { fileHolder } from "../../kernel/files.ts";
import { is } from "../../kernel/kind.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { inboxOf } from "../notifications/index.ts";
import {
  handlerCapacity,
  makeTask,
  type Answered,
  type TaskKind,
  taskKind,
  retryOf,
  handlerRunner,
  type TaskEvent,
} from "../tasks/index.ts";
import type { Handler } from "./handler.ts";
import type { EventKind } from "./kind.ts";

type Event = Pick<LedgerRecord<EventKind>, "id" | "body" | "priority" | "outcome">;

export interface TaskFacts {
  /** `task-20260207-001` */
  readonly id: string;
  readonly now: number;
  /** Where it speaks. */
  readonly target: string;
  /** The message that begins its thread. */
  readonly thread: string | null;
  /** How many tasks of handlers may be at work at once; null: as many as there are. */
  readonly capacity: number | null;
}

/** The task that handles an event. There is one for each event and handler, however often it is asked for. */
export function eventTask(event: Event, handler: Handler, making: TaskFacts): DraftOf<TaskKind> {
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
    thread: making.thread,
  };
  const before = event.outcome?.task ?? null;
  const request = { event: event.id, handler: handler.name, before };
  const key = `event-task:${event.id}:${handler.name}${before === null ? "" : `:${before}`}`;
  return {
    ...handlerTask(about, handler, { ...making, origin }),
    key: { name: key, asked: request },
    priority: event.priority,
  };
}

/** Where work speaks: where it was asked for, else the handler's own place, the installation's, the inbox. */
export function targetFor(
  { origin, owner }: { origin: string | null; owner: string },
  handler: Pick<Handler, "target">,
  defaultTarget: string | null,
): string {
  return origin ?? handler.target ?? defaultTarget ?? inboxOf(owner);
}

/** Whether it is for workers outside. */
export function isForWorkers<T extends { readonly body: Pick<TaskKind["body"], "event"> }>(
  record: T,
): record is T & { body: { event: TaskEvent } } {
  return record.body.event?.outside === true;
}

/** Whether its worker went away: the lease is over, and nobody has claimed it since. */
export function isAbandoned(record: AnyRecord, now: number): record is Claimed<TaskKind> {
  if (!is(taskKind, record) || !isForWorkers(record)) return false;
  const { lease, wakeAt } = record;
  if (lease === null || wakeAt === null) return false;
  return wakeAt <= now && !lease.holder.startsWith(fileHolder);
}

/** Any task of a handler. */
export function handlerTask(
  event: TaskEvent,
  handler: Handler,
  making: TaskFacts & { origin: string | null; answers?: readonly Answered[] },
): DraftOf<TaskKind> {
  const { id, now, target, capacity, origin, answers } = making;
  const isOurs = handler.run !== undefined; // who works outside takes no place of this machine
  const { outside: _, ...about } = event; // of a task before, by a handler that may have changed since
  const body: TaskKind["body"] = {
    ...handlerRunner(handler, event),
    at: now,
    target,
    origin,
    timeoutMs: handler.timeoutMs,
    retry: retryOf(handler.retries),
    event: isOurs ? about : { ...about, outside: true },
    ...(capacity === null || !isOurs ? {} : { turns: [handlerCapacity(capacity)] }),
    ...(answers === undefined ? {} : { answers }),
  };
  // A lane of its own: so a worker outside can claim this one and no other.
  return { ...makeTask(body), id, ...(isOurs ? {} : { lane: id }) };
}
