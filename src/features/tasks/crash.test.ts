import { workUntilIdle } from "../../testing/crash/crash-points.ts";
import { crashOnEachStore } from "../../testing/crash/crash-test.ts";
import { checkSchedules, scheduleContent } from "../../testing/crash/schedules-check.ts";
import { readLog, scheduleNode } from "../../testing/crash/schedules.ts";

await crashOnEachStore("kill -9 before and after every step of a slot and its run loses nothing", {
  script: import.meta.filename,
  content: scheduleContent,
  stores: ["SQLite", "PostgreSQL"],
  work({ location, logPath, time, onStep }) {
    const queues = ["schedule", "task@file", "notification"];
    return workUntilIdle(location, time, {
      node: (ledger) => scheduleNode(ledger, logPath, onStep),
      queues,
    });
  },
  check: (rows, logPath) => checkSchedules(rows, readLog(logPath)),
  steps: {
    "schedule: claimed": 2,
    "schedule: before a settle": 2,
    "schedule: settled": 2,
    "task: claimed": 2,
    "before a run": 2,
    ran: 2,
    "task: before a write": 2,
    "task: written": 2,
    "task: before a settle": 2,
    "task: settled": 2,
    sent: 2,
  },
});
