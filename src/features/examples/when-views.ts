import { now } from "./views.ts";

export const eventId = "evt-jira-OPS-7";
export const taskId = "task-20261115-001";
export const questionId = "q-20261115-001";
export const nextTaskId = "task-20261116-001";
export const type = "jira.ticket.assigned";
export const handler = "gen-docs";
const normal = "normal" as const;

export const told = {
  id: eventId,
  name: eventId,
  type,
  source: "jira",
  repo: null,
  state: "pending",
  priority: normal,
  handler: null,
  task_id: null,
  reason: null,
  at: now,
  hops: 0,
  created_at: now,
  ended_at: null,
};
export const dispatched = { ...told, state: "dispatched", handler, task_id: taskId };
export const event = {
  ...dispatched,
  payload: { key: "OPS-7" },
  origin: null,
  created_by: "me",
  next_at: null,
  revision: 1,
};

export const task = {
  id: taskId,
  run_id: taskId,
  slot: null,
  because: "asked" as const,
  status: "pending" as const,
  at_work: false,
  reason: null,
  started_at: null,
  finished_at: null,
  exit: null,
  output_summary: null,
  turn_count: null,
  cost: null,
  attempt: 0,
  notified: false,
  name: handler,
  event: { id: eventId, name: eventId, type },
  handler,
  task_type: type,
  session_id: null,
  priority: normal,
};
const { priority: _, ...line } = task;
export const ended = {
  ...line,
  status: "completed" as const,
  started_at: now,
  finished_at: now,
  output_summary: "written",
  attempt: 1,
  id: taskId,
  input_required: null,
  task: handler,
  schedule_id: null,
  input: null,
  target: "stdout:daemon",
  channel_id: null,
  channel_context_id: null,
  timeout: 60,
  progress: null,
  question: null,
  answers: [],
  result: { task_id: taskId, summary: "written", status: "success" },
  output_bytes: 0,
  output_cut: false,
  due_at: now,
  next_at: null,
  cancelling: false,
  created_at: now,
  created_by: "me",
  revision: 2,
};

export const question = {
  id: questionId,
  state: "open",
  status: "input_required" as const,
  handler,
  text: "Which branch?",
  choices: [],
  task_id: taskId,
  event_id: eventId,
  target: "stdout:daemon",
  answer: null,
  answered_by: null,
  resumed: null,
  asked_at: now,
  expires_at: "2026-11-22T23:00:00Z",
};

export const entry = {
  id: taskId,
  queue: "tasks" as const,
  place: "pending",
  state: "pending",
  priority: normal,
  about: handler,
  reason: null,
  created_at: now,
};
/** As it is given to whoever works on it. */
export const given = {
  id: taskId,
  event_id: eventId,
  target_general: handler,
  type,
  event_type: type,
  repo: null,
  payload: { key: "OPS-7" },
  priority: normal,
};
export const until = "2026-11-15T23:01:00Z";
