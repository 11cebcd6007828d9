import { playOut } from "../../testing/crash/playing.ts";
import { notesIn } from "../../testing/crash/runs.ts";
import { dyingOnEachStore } from "../../testing/crash/stores.ts";
import { checkWhen, handled } from "../../testing/crash/when-check.ts";
import { whenNode } from "../../testing/crash/when.ts";

await dyingOnEachStore(
  "kill -9 before and after every step of event, task, result, message leaves each in one state, told once (B7.7)",
  {
    script: import.meta.filename,
    content: handled,
    stores: ["SQLite", "file", "PostgreSQL"],
    /** Until every event has ended and all was said. What was asked stays open. */
    work({ place, notes, time, at }) {
      const queues = ["event", "task@file", "notification"];
      return playOut(place, time, { node: (ledger) => whenNode(ledger, notes, at), queues });
    },
    check: (rows, notes) => checkWhen(rows, notesIn(notes)),
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
