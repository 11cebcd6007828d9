import { line, run, runId, runLine, schedule, weekdays } from "./runs.ts";
import { again, id, now, zone } from "./views.ts";

/** The examples of schedules and runs; those of runs are of one that somebody asked for. */
export const scheduleExamples = {
  createSchedule: {
    input: { when: "every weekday 9am", run: { command: ["./report.sh"] } },
    output: { ...schedule, fresh: true, target_because: "inbox" as const },
  },
  searchSchedules: {
    input: { name: "report" },
    output: { schedules: [line], total: 1, remaining: 0, next: null },
  },
  showSchedule: { input: { id }, output: schedule },
  editSchedule: {
    input: { id, notify: "conditional" as const },
    output: { ...schedule, notify: "conditional" as const, revision: 2 },
  },
  deleteSchedule: {
    input: { id },
    output: { id, name: "report.sh", status: "cancelled", deleted: true },
  },
  pauseSchedule: {
    input: { id, until: "2026-11-17 08:00", reason: "holiday" },
    output: {
      ...schedule,
      status: "paused" as const,
      reason: "holiday",
      paused_until: "2026-11-16T23:00:00Z",
      next_run_at: "2026-11-17T00:00:00Z",
      next: [
        ...weekdays.slice(1),
        {
          utc: "2026-11-23T00:00:00Z",
          local: "2026-11-23T09:00:00+09:00[Asia/Seoul]",
          text: "Mon 23 Nov 2026 09:00 Asia/Seoul (in 7 d 1 h)",
          ...zone,
        },
      ],
      revision: 2,
    },
  },
  resumeSchedule: { input: { id }, output: { ...schedule, revision: 2 } },
  runScheduleNow: { input: { id }, output: { ...run, fresh: true } },
  backfillSchedule: {
    input: { id, from: "2026-11-12", to: "2026-11-12 12:00", dry_run: true },
    output: {
      schedule_id: id,
      name: "report.sh",
      slots: [
        {
          slot: {
            utc: "2026-11-12T00:00:00Z",
            local: "2026-11-12T09:00:00+09:00[Asia/Seoul]",
            text: "Thu 12 Nov 2026 09:00 Asia/Seoul (3 d 23 h ago)",
            ...zone,
            past: true,
          },
          run_id: null,
          fresh: true,
        },
      ],
      count: 1,
      dry_run: true,
      fresh: false,
    },
  },
  previewSchedule: {
    input: { when: "every weekday 9am" },
    output: { when: line.when, cadence: line.cadence, next: weekdays },
  },
  scheduleRuns: {
    input: { id },
    output: { schedule_id: id, name: "report.sh", runs: [runLine], count: 1, next: null },
  },
  runOutput: {
    input: { id: runId },
    output: {
      run_id: runId,
      offset: 0,
      max_chars: 4_000,
      chunk: "",
      remaining: 0,
      total: 0,
      next_offset: null,
      cut: false,
      at_work: false,
      message: "no output stored for this run",
    },
  },
  showRun: { input: { id: runId }, output: run },
  cancelRun: {
    input: { id: runId, reason: "not today" },
    output: {
      ...run,
      status: "cancelled" as const,
      finished_at: now,
      next_at: null,
      revision: 2,
      result: null,
      cancel: "cancelled" as const,
    },
  },
  runTask: {
    input: { task: "invoice.send", input: { id: 7 } },
    output: {
      id: runId,
      task: "invoice.send",
      state: "pending",
      due: again.due,
      target: "inbox:me",
      target_because: "inbox" as const,
      fresh: true,
      unknown_task: "invoice.send",
    },
  },
  answerRun: {
    input: { id: runId, answer: "yes" },
    output: {
      ...run,
      answers: [{ question: "Send it?", answer: "yes" }],
      revision: 2,
    },
  },
  resendRun: {
    input: { id: runId },
    output: {
      ...again,
      message: "three invoices are open",
      type: "run",
      target_because: null,
      fresh: true,
      run_id: runId,
    },
  },
};
