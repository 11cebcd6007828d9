import { openBook } from "../../testing/crash/books.ts";
import { check, said } from "../../testing/crash/check.ts";
import { untilNothingIsLeft } from "../../testing/crash/deaths.ts";
import { arrivalsIn, crashNode, startedAt } from "../../testing/crash/node.ts";
import { dyingOnEachStore } from "../../testing/crash/stores.ts";

await dyingOnEachStore("kill -9 before and after every step of a delivery loses nothing", {
  script: import.meta.filename,
  content: said,
  stores: ["SQLite", "PostgreSQL"],
  async work({ place, notes, time, at }) {
    const ledger = await openBook(place, time);
    const node = crashNode(ledger, notes, at);
    await node.start();
    await untilNothingIsLeft(ledger, time, { queues: ["notification"], stepMs: 1_000 });
    await node.stop();
    await ledger.close();
  },
  finishAt: startedAt + 86_400_000 / 2,
  check: (rows, notes) => check(rows, arrivalsIn(notes)),
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
