import type { LedgerRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { DaybookError } from "../../platform/errors.ts";
import { isThread } from "../notifications/index.ts";
import { type TaskKind, type TaskEvent, startMessage } from "../tasks/index.ts";
import { eventTask, targetFor } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import { type EventKind, unhandled } from "./kind.ts";
import { eventEnds } from "./task-end.ts";

type Event = LedgerRecord<EventKind>;

/** An event that waits is routed again after this. */
const waitMs = 10_000;
/** A task ends its event in one unit; this check is for tasks that another program ended. */
const recheckMs = 10 * 60_000;

/** The handler of an event, and what its task and thread are made with. */
export interface Dispatch {
  readonly handler: Handler;
  /** `task-20260207-001` */
  readonly taskId: string;
  /** `msg-20260207-001`, the message that begins its thread. */
  readonly messageId: string;
  /** The target of messages of work that no chat requested. */
  readonly defaultTarget: string | null;
  readonly capacity: number | null;
}

/** Writes the event's task and the first message of its thread, as one unit. */
export function dispatchEvent(event: Event, dispatch: Dispatch, facts: Facts): Verdict<EventKind> {
  if (event.cancelling) {
    // The event ends cancelled in any case, but a verdict with a task would write the task.
    return { ends: "cancelled", outcome: event.outcome ?? unhandled };
  }
  try {
    return withTask(event, dispatch, facts);
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    return endUnhandled(event, "failed", `its task cannot be made: ${error.message}`);
  }
}

function withTask(event: Event, dispatch: Dispatch, { now }: Facts): Verdict<EventKind> {
  const { handler, taskId, messageId, defaultTarget, capacity } = dispatch;
  const target = targetFor(
    { origin: event.body.origin, owner: event.owner },
    handler,
    defaultTarget,
  );
  const thread = isThread(target) ? null : messageId;
  const task = eventTask(event, handler, { id: taskId, now, target, thread, capacity });
  const about = task.body.event as TaskEvent; // just made so
  const first = startMessage({ id: taskId, body: { ...task.body, event: about } }, now);
  const start = first === undefined ? [] : [{ ...first, id: messageId, parent: taskId }];
  return {
    ...dispatchedTo({ handler: handler.name, task: taskId }, now),
    consequences: { append: [task, ...start] },
  };
}

/** The event has this task. */
export function dispatchedTo(
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

/** The event stays pending, with the reason. */
export function postponeEvent(
  event: Event,
  reason: string,
  { now, jitter }: Facts,
): Verdict<EventKind> {
  const before = event.outcome ?? unhandled;
  return {
    state: "pending",
    wakeAt: now + Math.round(waitMs * (0.5 + jitter / 2)),
    freshStart: true,
    outcome: { ...before, reason },
    note: before.reason === reason ? undefined : reason,
  };
}

/** The event ends without a task. */
export function endUnhandled(
  event: Event,
  ends: "completed" | "failed",
  reason: string,
  consequences: Consequences = {},
): Verdict<EventKind> {
  return {
    ends,
    outcome: { ...(event.outcome ?? unhandled), reason },
    note: reason,
    consequences,
  };
}

/** The event ends when its task has ended or is missing. */
export function followTask(
  event: Event,
  task: LedgerRecord<TaskKind> | undefined,
  { now }: Facts,
): Verdict<EventKind> {
  const outcome = event.outcome ?? unhandled;
  if (task === undefined) {
    return { ends: "failed", outcome: { ...outcome, reason: "its task was deleted" } };
  }
  if (task.endedAt === null) {
    return { state: "dispatched", wakeAt: now + recheckMs, freshStart: true };
  }
  const ends = eventEnds[task.state as keyof typeof eventEnds];
  return { ends, outcome: { ...outcome, reason: task.outcome?.reason ?? null } };
}
