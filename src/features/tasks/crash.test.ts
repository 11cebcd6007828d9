import { playOut } from "../../testing/crash/playing.ts";
import { checkRuns, ran } from "../../testing/crash/runs-check.ts";
import { notesIn, runsNode } from "../../testing/crash/runs.ts";
import { dyingOnEachStore } from "../../testing/crash/stores.ts";

await dyingOnEachStore("kill -9 before and after every step of a slot and its run loses nothing", {
  script: import.meta.filename,
  content: ran,
  stores: ["SQLite", "PostgreSQL"],
  work({ place, notes, time, at }) {
    const queues = ["schedule", "task@file", "notification"];
    return playOut(place, time, { node: (ledger) => runsNode(ledger, notes, at), queues });
  },
  check: (rows, notes) => checkRuns(rows, notesIn(notes)),
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
