import { checkNags, nagged } from "../../testing/crash/nags-check.ts";
import { nagsNode } from "../../testing/crash/nags.ts";
import { arrivalsIn } from "../../testing/crash/node.ts";
import { playOut } from "../../testing/crash/playing.ts";
import { dyingOnEachStore } from "../../testing/crash/stores.ts";

await dyingOnEachStore("kill -9 before and after every step of a nag loses and doubles nothing", {
  script: import.meta.filename,
  content: nagged,
  stores: ["SQLite", "file", "PostgreSQL"],
  work({ place, notes, time, at }) {
    const queues = ["nag", "notification"];
    return playOut(place, time, { node: (ledger) => nagsNode(ledger, notes, at), queues });
  },
  check: (rows, notes) => checkNags(rows, arrivalsIn(notes)),
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
