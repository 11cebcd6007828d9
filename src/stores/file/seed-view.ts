import { type EventKind, eventKind } from "../../features/events/kind.ts";
import { type NotificationKind, notificationKind } from "../../features/notifications/kind.ts";
import { type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import { taskJson } from "../../features/tasks/task-event.ts";
import { is } from "../../kernel/kind.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import type { Json } from "../../platform/json.ts";

/** A record in the words that those know who look into the folders. */
export type View = Readonly<Record<string, unknown>>;

export function viewOf(record: AnyRecord): View {
  if (is(eventKind, record)) return eventView(record);
  if (is(taskKind, record)) return taskView(record);
  if (is(notificationKind, record)) return messageView(record);
  const { id, kind, state, priority, createdAt } = record;
  return { id, kind, priority, created_at: isoOf(createdAt), status: state };
}

function eventView({
  id,
  body,
  priority,
  createdAt,
  state,
  outcome,
}: LedgerRecord<EventKind>): View {
  const { type, source, repo, payload } = body;
  const status = state === "cancelled" ? "failed" : state;
  const reason = state === "cancelled" ? state : outcome?.reason;
  const seen = { status, ...ifThere("reason", reason) };
  return { id, type, source, repo, payload, priority, created_at: isoOf(createdAt), ...seen };
}

function taskView(record: LedgerRecord<TaskKind>): View {
  const { id, priority, attempt, lease, endedAt, outcome, wakeAt, createdAt } = record;
  const isLater = attempt > 0 && lease === null && endedAt === null && wakeAt !== null;
  // The attempt that runs, or was the last, is no retry to come.
  const counted = lease === null && endedAt === null ? 0 : 1;
  return {
    id,
    ...askedOf(record),
    priority,
    retry_count: Math.max((outcome?.earlier ?? 0) + attempt - counted, 0),
    ...(isLater ? { retry_after: isoOf(wakeAt) } : {}),
    created_at: isoOf(createdAt),
    status: taskStatus(record),
  };
}

function askedOf(record: LedgerRecord<TaskKind>): View {
  const { event, slot, name, input } = record.body;
  if (event !== undefined) return taskJson(record) as View;
  const cause = slot === undefined ? null : `schedule-${slot.name}`;
  return { event_id: cause, target_general: name, type: name, repo: null, payload: input };
}

function taskStatus({ state, lease, outcome }: LedgerRecord<TaskKind>): string {
  switch (state) {
    case "pending":
      return lease ? "in_progress" : "pending";
    case "completed":
      return statusIn(outcome?.result) === "needs_human" ? "needs_human" : "completed";
    case "interrupted":
      return "failed";
    case "missed":
    case "cancelled":
      return "skipped";
    case "needs_human":
    case "failed":
    case "skipped":
      return state;
  }
}

function messageView(record: LedgerRecord<NotificationKind>): View {
  const { id, body, priority, createdAt, state, outcome } = record;
  const { seedType, message, context, final } = body;
  const { urgency = "high", ...beside } = body.beside ?? {};
  const { thread_ts, ...place } = placeIn(body.target, outcome?.receipt ?? null);
  return {
    id,
    type: seedType ?? messageTypes.get(body.type) ?? "notification",
    task_id: body.relatedTaskId ?? null,
    ...place,
    urgency: priority === "high" ? urgency : "normal",
    content: message,
    context: context === undefined ? {} : { text: context },
    ...ifThere("thread_ts", thread_ts),
    ...(final === undefined ? {} : { final }),
    ...beside,
    created_at: isoOf(createdAt),
    status: messageStatus(state),
    ...ifThere("reason", state === "delivered" ? null : outcome?.reason),
  };
}

/** A channel of Slack has its bare id, and the thread beside: the one that was named, or that it arrived in. */
function placeIn(target: string, receipt: Json): { channel: string; thread_ts?: string } {
  const [, channel, named] = /^slack:([^:]+)(?::(.+))?$/.exec(target) ?? [];
  if (channel === undefined) return { channel: target };
  const { thread } = (receipt ?? {}) as { thread?: Json };
  const ts = named ?? (typeof thread === "string" ? thread : undefined);
  return { channel, ...(ts === undefined ? {} : { thread_ts: ts }) };
}

const messageTypes = new Map<string | undefined, string>([
  ["run", "report"],
  ["question", "human_input_request"],
]);

function messageStatus(state: LedgerRecord<NotificationKind>["state"]): string {
  if (state === "pending") return state;
  return state === "delivered" ? "sent" : "failed";
}

/** What a task that has ended came to. What it said itself stands over what is known from outside. */
export function resultOf(task: LedgerRecord<TaskKind>): View {
  const { id, state, outcome } = task;
  const { result = null, summary, reason, finishedAt } = outcome ?? {};
  const status = resultStatuses.get(state) ?? "failed";
  const why = reason ?? state;
  const seen = {
    status,
    summary: summary ?? why,
    ...(status === "failed" || status === "killed" ? { error: why } : {}),
    ...(status === "skipped" ? { reason: why } : {}),
  };
  const said = statusIn(result) === undefined ? {} : (result as View);
  const daybook = { state, finished_at: isoOf(finishedAt ?? task.endedAt ?? task.updatedAt) };
  return { ...seen, ...said, task_id: id, daybook };
}

const resultStatuses = new Map<string, string>([
  ["completed", "success"],
  ["skipped", "skipped"],
  ["missed", "skipped"],
  ["cancelled", "killed"],
  ["interrupted", "killed"],
]);
const statuses = ["success", "failed", "needs_human", "skipped", "killed"];

function statusIn(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null || !("status" in result)) return undefined;
  const { status } = result;
  return typeof status === "string" && statuses.includes(status) ? status : undefined;
}

function ifThere(name: string, text: string | null | undefined): View {
  return text == null ? {} : { [name]: text };
}

function isoOf(ms: number): string {
  const day = new Date(ms);
  return Number.isNaN(day.getTime()) ? String(ms) : day.toISOString();
}
