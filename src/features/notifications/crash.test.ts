import { untilQueuesAreEmpty } from "../../testing/crash/crash-points.ts";
import { crashOnEachStore } from "../../testing/crash/crash-test.ts";
import { openLedger } from "../../testing/crash/ledgers.ts";
import { startedAt } from "../../testing/crash/node.ts";
import {
  checkNotifications,
  notificationContent,
} from "../../testing/crash/notifications-check.ts";
import { arrivalsIn, notificationNode } from "../../testing/crash/notifications.ts";

await crashOnEachStore("kill -9 before and after every step of a delivery loses nothing", {
  script: import.meta.filename,
  content: notificationContent,
  stores: ["SQLite", "PostgreSQL"],
  async work({ location, logPath, time, onStep }) {
    const ledger = await openLedger(location, time);
    const node = notificationNode(ledger, logPath, onStep);
    await node.start();
    await untilQueuesAreEmpty(ledger, time, { queues: ["notification"], stepMs: 1_000 });
    await node.stop();
    await ledger.close();
  },
  finishAt: startedAt + 86_400_000 / 2,
  check: (rows, logPath) => checkNotifications(rows, arrivalsIn(logPath)),
  steps: {
    claimed: 2,
    "before a keep": 2,
    kept: 2,
    "before a send": 2,
    sent: 2,
    "before a settle": 8,
    settled: 8,
  },
});
