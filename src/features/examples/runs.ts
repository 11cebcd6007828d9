import type { ScheduleLine, ScheduleView } from "../schedules/index.ts";
import type { RunLine, RunView } from "../tasks/index.ts";
import { id, now, zone } from "./views.ts";

export const runId = "019a8d3f-11d2-7c08-9a4f-2b3c4d5e6f71";

const fire = (day: number, name: string, far: string): ScheduleView["next"][number] => ({
  utc: `2026-11-${day}T00:00:00Z`,
  local: `2026-11-${day}T09:00:00+09:00[Asia/Seoul]`,
  text: `${name} ${day} Nov 2026 09:00 Asia/Seoul (in ${far})`,
  ...zone,
});
export const weekdays = [
  fire(16, "Mon", "1 h"),
  fire(17, "Tue", "1 d 1 h"),
  fire(18, "Wed", "2 d 1 h"),
  fire(19, "Thu", "3 d 1 h"),
  fire(20, "Fri", "4 d 1 h"),
];

export const line: ScheduleLine = {
  id,
  name: "report.sh",
  status: "active",
  when: "every weekday at 09:00 (Asia/Seoul)",
  cadence: { type: "cron", expression: "0 9 * * 1-5", timezone: "Asia/Seoul" },
  runner: "command",
  notify: "always",
  target: "inbox:me",
  next_run_at: "2026-11-16T00:00:00Z",
  last_run_at: null,
  last_run_status: null,
  consecutive_failures: 0,
  reason: null,
  paused_until: null,
  revision: 1,
};

export const schedule: ScheduleView = {
  ...line,
  when_text: "every weekday 9am",
  run: { command: ["./report.sh"] },
  channel_id: null,
  channel_context_id: null,
  misfire: "latest",
  overlap: "skip",
  rerun: false,
  timeout: 600,
  notify_after_failures: 3,
  disable_after_failures: 5,
  budget: null,
  next: weekdays,
  created_at: now,
  created_by: "me",
  updated_at: now,
  ended_at: null,
};

export const runLine: RunLine = {
  run_id: runId,
  slot: now,
  because: "run now",
  status: "pending",
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
};

export const run: RunView = {
  ...runLine,
  id: runId,
  event: null,
  handler: null,
  task_type: null,
  session_id: null,
  input_required: null,
  name: "report.sh",
  task: "command",
  schedule_id: id,
  input: { command: ["./report.sh"] },
  target: "inbox:me",
  channel_id: null,
  channel_context_id: null,
  timeout: 600,
  progress: null,
  question: null,
  answers: [],
  result: null,
  output_bytes: 0,
  output_cut: false,
  due_at: now,
  next_at: now,
  cancelling: false,
  created_at: now,
  created_by: "me",
  revision: 1,
};
