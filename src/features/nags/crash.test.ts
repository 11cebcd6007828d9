import { workUntilIdle } from "../../testing/crash/crash-points.ts";
import { crashOnEachStore } from "../../testing/crash/crash-test.ts";
import { checkNags, nagContent } from "../../testing/crash/nags-check.ts";
import { nagNode } from "../../testing/crash/nags.ts";
import { arrivalsIn } from "../../testing/crash/notifications.ts";

await crashOnEachStore("kill -9 before and after every step of a nag loses and doubles nothing", {
  script: import.meta.filename,
  content: nagContent,
  stores: ["SQLite", "file", "PostgreSQL"],
  work({ location, logPath, time, onStep }) {
    const queues = ["nag", "notification"];
    return workUntilIdle(location, time, {
      node: (ledger) => nagNode(ledger, logPath, onStep),
      queues,
    });
  },
  check: (rows, logPath) => checkNags(rows, arrivalsIn(logPath)),
  steps: {
    "nag: claimed": 4,
    "nag: before a settle": 4,
    "nag: settled": 4,
    "notification: claimed": 4,
    "before a send": 4,
    sent: 4,
    "notification: before a settle": 4,
    "notification: settled": 4,
  },
});
