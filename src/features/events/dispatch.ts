import type { LedgerRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { DaybookError } from "../../platform/errors.ts";
import { isThread } from "../notifications/index.ts";
import { type TaskKind, type TaskEvent, startMessage } from "../tasks/index.ts";
import { eventTask, targetFor } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import type { EventKind } from "./kind.ts";
import { eventEnds } from "./task-end.ts";

type Event = LedgerRecord<EventKind>;

/** What waits is looked at again. */
const waitMs = 10_000;
/** A task ends its event; this is the net under that, for tasks that ended in no unit of ours. */
const recheckMs = 10 * 60_000;

/** All that a dispatch needs. */
export interface Dispatch {
  readonly handler: Handler;
  /** `task-20260207-001` */
  readonly taskId: string;
  /** `msg-20260207-001`, for what begins its thread. */
  readonly messageId: string;
  /** Where work speaks that no chat asked for. */
  readonly defaultTarget: string | null;
  readonly capacity: number | null;
}

/** The event has a task from now on, and its thread begins: one unit. */
export function dispatches(event: Event, dispatch: Dispatch, facts: Facts): Verdict<EventKind> {
  if (event.cancelling) {
    // Its end is the same whatever is decided here; but a task would be made.
    return { ends: "cancelled", outcome: event.outcome ?? unhandled };
  }
  try {
    return dispatched(event, dispatch, facts);
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    return endsUnhandled(event, "failed", `no task can be made of it: ${error.message}`);
  }
}

function dispatched(event: Event, dispatch: Dispatch, { now }: Facts): Verdict<EventKind> {
  const { handler, taskId, messageId, defaultTarget, capacity } = dispatch;
  const target = targetFor(
    { origin: event.body.origin, owner: event.owner },
    handler,
    defaultTarget,
  );
  const thread = isThread(target) ? null : messageId;
  const task = eventTask(event, handler, { id: taskId, now, target, thread, capacity });
  const about = task.body.event as TaskEvent; // just made so
  const began = startMessage({ id: taskId, body: { ...task.body, event: about } }, now);
  const start = began === undefined ? [] : [{ ...began, id: messageId, parent: taskId }];
  return {
    ...goesTo({ handler: handler.name, task: taskId }, now),
    consequences: { append: [task, ...start] },
  };
}

/** It is handled by a task that is being written, or was. */
export function goesTo(
  { handler, task }: { handler: string; task: string },
  now: number,
): Verdict<EventKind> {
  return {
    state: "dispatched",
    outcome: { handler, task, reason: null },
    wakeAt: now + recheckMs,
    freshStart: true,
  };
}

/** Not now, and why. */
export function waitsFor(event: Event, reason: string, { now, jitter }: Facts): Verdict<EventKind> {
  const before = event.outcome ?? unhandled;
  const isNew = before.reason !== reason;
  return {
    state: "pending",
    wakeAt: now + Math.round(waitMs * (0.5 + jitter / 2)),
    freshStart: true,
    outcome: { ...before, reason },
    ...(isNew ? { note: reason } : {}),
  };
}

/** Nobody does anything for it. */
export function endsUnhandled(
  event: Event,
  ends: "completed" | "failed",
  reason: string,
  consequences: Consequences = {},
): Verdict<EventKind> {
  return {
    ends,
    outcome: { ...(event.outcome ?? unhandled), reason },
    note: reason,
    consequences: consequences,
  };
}

/** What a look at its task leaves of it. */
export function followTask(
  event: Event,
  task: LedgerRecord<TaskKind> | undefined,
  { now }: Facts,
): Verdict<EventKind> {
  const outcome = event.outcome ?? unhandled;
  if (task === undefined) {
    return { ends: "failed", outcome: { ...outcome, reason: "its task is forgotten" } };
  }
  if (task.endedAt === null) {
    return { state: "dispatched", wakeAt: now + recheckMs, freshStart: true };
  }
  const ends = eventEnds[task.state as keyof typeof eventEnds];
  return { ends, outcome: { ...outcome, reason: task.outcome?.reason ?? null } };
}

const unhandled = { handler: null, task: null, reason: null };
