import type { ScheduleKind } from "../features/schedules/kind.ts";
import type { Slot, TaskKind } from "../features/tasks/kind.ts";
import type { Claimed, LedgerRecord } from "../kernel/record.ts";

type Task = Claimed<TaskKind>;
type Schedule = LedgerRecord<ScheduleKind>;

const record = {
  owner: "mina",
  by: "mina",
  key: null,
  parent: null,
  priority: "normal",
  lane: null,
  revision: 1,
  lapses: 0,
  cancelling: false,
  readyAt: 0,
  createdAt: 0,
  updatedAt: 0,
  endedAt: null,
} as const;

export const someSlot: Slot = {
  schedule: "s1",
  name: "backup",
  at: 1_000,
  because: "cadence",
  notify: "always",
  rerun: false,
};

/** A claimed task, for rules. */
export function claimedTask(parts: Partial<Task> = {}, body: Partial<TaskKind["body"]> = {}): Task {
  return {
    ...record,
    kind: "task",
    id: "t1",
    state: "pending",
    queue: "task@fake",
    attempt: 1,
    outcome: null,
    wakeAt: 15_000,
    lease: { holder: "n1", fence: 1, claimedAt: 1_000 },
    ...parts,
    body: {
      name: "fake",
      input: null,
      at: 1_000,
      target: "fake:a",
      origin: null,
      timeoutMs: 60_000,
      ...body,
    },
  };
}

/** A schedule that runs every hour, for rules. */
export function someSchedule(
  parts: Partial<Schedule> = {},
  body: Partial<ScheduleKind["body"]> = {},
  outcome: Partial<ScheduleKind["outcome"]> = {},
): Schedule {
  return {
    ...record,
    kind: "schedule",
    id: "s1",
    state: "active",
    queue: "schedule",
    attempt: 0,
    wakeAt: 3_600_000,
    lease: null,
    ...parts,
    body: {
      name: "backup",
      cadence: { type: "interval", everyMs: 3_600_000, anchor: 0 },
      whenText: "every hour",
      run: { task: "fake", input: null },
      notify: "always",
      target: "fake:a",
      origin: null,
      misfire: "latest",
      overlap: "skip",
      rerun: false,
      timeoutMs: 60_000,
      notifyAfterFailures: 3,
      disableAfterFailures: 5,
      ...body,
    },
    outcome: {
      cursor: 0,
      nextRunAt: 3_600_000,
      lastRunAt: null,
      lastRunState: null,
      consecutiveFailures: 0,
      isNotified: false,
      reason: null,
      ...outcome,
    },
  };
}
