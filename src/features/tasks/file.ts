import { fileLayout, type FileView, type ResultView } from "../../kernel/files.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isoMsOf } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { taskKind, type TaskKind } from "./kind.ts";
import { taskJson } from "./task-event.ts";

type Task = LedgerRecord<TaskKind>;

export const taskLayout = fileLayout({
  kind: taskKind,
  folder: "queue/tasks",
  stateFolders: ["pending", "in_progress", "completed"],
  stateFolder(state, leased) {
    if (state === "pending") return leased ? "in_progress" : "pending";
    return state === "needs_human" ? "in_progress" : "completed"; // a person has the task
  },
  dropFolder: "pending",
  view: taskView,
  worker: {
    state: "pending",
    claimFolder: "in_progress",
    resultFolder: "state/results",
    idField: "task_id",
    sidecars: ["-raw.json", "-checkpoint.json", "-soldier-id", "-session-id"],
    result: taskResult,
  },
});

function taskView(record: Task): FileView {
  const { id, priority, attempt, lease, endedAt, outcome, wakeAt, createdAt } = record;
  const isRetry = attempt > 0 && lease === null && endedAt === null && wakeAt !== null;
  // The current attempt, or the last one of an ended task, is not a retry.
  const counted = lease === null && endedAt === null ? 0 : 1;
  return present({
    id,
    ...requestOf(record),
    priority,
    retry_count: Math.max((outcome?.earlier ?? 0) + attempt - counted, 0),
    retry_after: isRetry ? isoMsOf(wakeAt) : undefined,
    created_at: isoMsOf(createdAt),
    status: statusOf(record),
  });
}

function requestOf(record: Task): FileView {
  const { event, slot, name, input } = record.body;
  if (event !== undefined) return taskJson(record) as FileView;
  const cause = slot === undefined ? null : `schedule-${slot.name}`;
  return { event_id: cause, target_general: name, type: name, repo: null, payload: input };
}

function statusOf({ state, lease, outcome }: Task): string {
  switch (state) {
    case "pending":
      return lease ? "in_progress" : "pending";
    case "completed":
      return resultStatus(outcome?.result) === "needs_human" ? "needs_human" : "completed";
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

/** How a task ended. Fields of a result that it returned replace the observed ones. */
export function taskResult(task: Task): ResultView {
  const { id, state, outcome } = task;
  const { result = null, summary, reason, finishedAt } = outcome ?? {};
  const status = statuses.get(state) ?? "failed";
  const why = reason ?? state;
  const observed = present({
    status,
    summary: summary ?? why,
    error: status === "failed" || status === "killed" ? why : undefined,
    reason: status === "skipped" ? why : undefined,
  });
  const returned = resultStatus(result) === undefined ? {} : (result as FileView);
  const daybook = { state, finished_at: isoMsOf(finishedAt ?? task.endedAt ?? task.updatedAt) };
  return { ...observed, ...returned, task_id: id, daybook };
}

const statuses = new Map<string, string>([
  ["completed", "success"],
  ["skipped", "skipped"],
  ["missed", "skipped"],
  ["cancelled", "killed"],
  ["interrupted", "killed"],
]);
const resultStatuses = ["success", "failed", "needs_human", "skipped", "killed"];

function resultStatus(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null || !("status" in result)) return undefined;
  const { status } = result;
  return typeof status === "string" && resultStatuses.includes(status) ? status : undefined;
}
