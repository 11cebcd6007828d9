import { workUntilIdle } from "../../testing/crash/crash-points.ts";
import { crashOnEachStore } from "../../testing/crash/crash-test.ts";
import { checkEvents, eventContent } from "../../testing/crash/events-check.ts";
import { eventNode } from "../../testing/crash/events.ts";
import { readLog } from "../../testing/crash/schedules.ts";

await crashOnEachStore(
  "kill -9 before and after every step of an event leaves each record in one state (B7.7)",
  {
    script: import.meta.filename,
    content: eventContent,
    stores: ["SQLite", "file", "PostgreSQL"],
    /** Until every event has ended and its notifications are sent. Questions stay open. */
    work({ location, logPath, time, onStep }) {
      const queues = ["event", "task@file", "notification"];
      return workUntilIdle(location, time, {
        node: (ledger) => eventNode(ledger, logPath, onStep),
        queues,
      });
    },
    check: (rows, logPath) => checkEvents(rows, readLog(logPath)),
    steps: {
      "event: claimed": 3,
      "before a number": 3,
      "event: before a settle": 3,
      "event: settled": 3,
      "task: claimed": 3,
      "before a run": 3,
      ran: 3,
      "task: before a settle": 3,
      "task: settled": 3,
      "notification: claimed": 3,
      "before a send": 3,
      sent: 3,
      "notification: before a settle": 3,
      "notification: settled": 3,
    },
  },
);
