import { is } from "../../kernel/kind.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { isoOf } from "../../platform/iso-time.ts";
import type { Json } from "../../platform/json.ts";
import { inboxOf } from "../notifications/routing.ts";
import { handlerCapacity } from "../tasks/holds.ts";
import { makeTask, type Answered, type Retry, type TaskKind, taskKind } from "../tasks/kind.ts";
import { runnerNamed, type RunBy } from "../tasks/runner-name.ts";
import { retryMs, type Handler, type HandlerRun } from "./handler.ts";
import type { Payload, EventKind } from "./kind.ts";
import { filled, type Said } from "./template.ts";

type Event = Pick<LedgerRecord<EventKind>, "id" | "body" | "priority" | "outcome">;

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

export interface TaskMaking {
  /** `task-20260207-001` */
  readonly id: string;
  readonly now: number;
  /** Where it speaks. */
  readonly target: string;
  /** The message that begins its thread. */
  readonly thread: string | null;
  /** How many tasks of handlers may be at work at once; null: as many as there are. */
  readonly places: number | null;
}

/** The task that handles an event. There is one for each event and handler, however often it is asked for. */
export function eventTask(event: Event, handler: Handler, making: TaskMaking): DraftOf<TaskKind> {
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
  const asked = { event: event.id, handler: handler.name, before };
  const key = `event-task:${event.id}:${handler.name}${before === null ? "" : `:${before}`}`;
  return {
    ...handlerTask(about, handler, { ...making, origin }),
    key: { name: key, asked },
    priority: event.priority,
  };
}

/** Where work speaks: where it was asked for, else the handler's own place, the installation's, the inbox. */
export function speaksAt(
  { origin, owner }: { origin: string | null; owner: string },
  handler: Pick<Handler, "target">,
  speaksTo: string | null,
): string {
  return origin ?? handler.target ?? speaksTo ?? inboxOf(owner);
}

/** Whether it is for workers outside. */
export function isForWorkers<T extends { readonly body: Pick<TaskKind["body"], "event"> }>(
  record: T,
): record is T & { body: { event: TaskEvent } } {
  return record.body.event?.outside === true;
}

/** How the name of a holder begins that works over files: a touch of its heartbeat keeps its task, which only its store sees. */
export const fileHolder = "file:";

/** Whether its worker went away: the lease is over, and nobody has claimed it since. */
export function isLeft(record: AnyRecord, now: number): record is Claimed<TaskKind> {
  if (!is(taskKind, record) || !isForWorkers(record)) return false;
  const { lease, wakeAt } = record;
  if (lease === null || wakeAt === null) return false;
  return wakeAt <= now && !lease.holder.startsWith(fileHolder);
}

/** Any task of a handler. */
export function handlerTask(
  event: TaskEvent,
  handler: Handler,
  making: TaskMaking & { origin: string | null; answers?: readonly Answered[] },
): DraftOf<TaskKind> {
  const { id, now, target, places, origin, answers } = making;
  const isOurs = handler.run !== undefined; // who works outside takes no place of this machine
  const { outside: _, ...about } = event; // of a task before, by a handler that may have changed since
  const body: TaskKind["body"] = {
    ...runnerOf(handler, event),
    at: now,
    target,
    origin,
    timeoutMs: handler.timeoutMs,
    retry: retryOf(handler.retries),
    event: isOurs ? about : { ...about, outside: true },
    ...(places === null || !isOurs ? {} : { turns: [handlerCapacity(places)] }),
    ...(answers === undefined ? {} : { answers }),
  };
  // A lane of its own: so a worker outside can claim this one and no other.
  return { ...makeTask(body), id, ...(isOurs ? {} : { lane: id }) };
}

export function retryOf(retries: number): Retry {
  return { attempts: retries + 1, firstMs: retryMs, factor: 1, maxMs: retryMs };
}

/** Who runs it, and what that is given. */
export function runnerOf({ name, run }: Pick<Handler, "name" | "run">, event: TaskEvent): RunBy {
  if (run === undefined) return { name, input: null };
  const said = saidOf(event);
  const { in: place } = run; // never an event's to say
  if ("task" in run) return runnerNamed(run.task, run.input ?? null, place);
  if ("command" in run) return runnerNamed("command", commandOf(run, said), place);
  if ("http" in run) return runnerNamed("http", { http: run.http, secret: run.secret }, place);
  return runnerNamed("agent", { agent: filled(run.agent, said) }, place);
}

function commandOf(run: Extract<HandlerRun, { command: unknown }>, said: Said): Json {
  const { command, cwd } = run;
  const [file = "", ...args] = command;
  // What is run is never an event's to say.
  const argv = [file, ...args.map((each) => filled(each, said))];
  return { command: argv, ...(cwd === undefined ? {} : { cwd }) };
}

function saidOf({ name, type, repo, payload, taskType, sessionId, answer }: TaskEvent): Said {
  const resumed = { session_id: sessionId ?? null, answer: answer ?? null };
  return { name, type, repo, payload, task_type: taskType, ...resumed };
}

/** A task as whoever runs it is told of it. */
export function taskJson(record: {
  readonly id: string;
  readonly priority: string;
  readonly createdAt: number;
  readonly body: TaskKind["body"];
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
