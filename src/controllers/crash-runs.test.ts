import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { timeAt, type Books } from "../testing/crash/books.ts";
import { dieAt, dieAtEachMoment } from "../testing/crash/deaths.ts";
import { startedAt, type AtMoment } from "../testing/crash/node.ts";
import { leaseMs, playOut } from "../testing/crash/playing.ts";
import { checkRuns, ran, type RunRow } from "../testing/crash/runs-check.ts";
import { notesIn, runsNode } from "../testing/crash/runs.ts";
import { onEachStore } from "../testing/crash/stores.ts";

/** Works until every schedule is over and all was said. */
function work(place: string, notes: string, time: Float64Array, at: AtMoment): Promise<void> {
  const queues = ["schedule", "task@file", "notification"];
  return playOut(place, time, { node: (ledger) => runsNode(ledger, notes, at), queues });
}

/** Before and after each durable step, by who makes it. */
const steps = [
  "schedule: claimed",
  "schedule: before a settle",
  "schedule: settled",
  "task: claimed",
  "before a run",
  "ran",
  "task: before a write",
  "task: written",
  "task: before a settle",
  "task: settled",
  "sent",
];

async function die(t: TestContext, folder: string, books: Books<RunRow>): Promise<void> {
  const moments = await dieAtEachMoment(t, folder, {
    script: import.meta.filename,
    make: books.make,
    // When the dead one's lease is over, and long before the next slot.
    finish: (place, notes, diedAt = startedAt) =>
      work(place, notes, timeAt(diedAt + leaseMs), () => undefined),
    check: async (place, notes) => checkRuns(await books.read(place), notesIn(notes)),
  });
  for (const step of steps) {
    assert.ok((moments[step] ?? 0) >= 2, `${step}: ${moments[step] ?? 0} deaths`);
  }
}

const [, , role, place = "", notes = "", nth = ""] = process.argv;
if (role === "work") {
  const time = timeAt(startedAt);
  await work(place, notes, time, dieAt(Number(nth), time));
} else
  await onEachStore(
    "kill -9 before and after every step of a slot and its run loses nothing",
    ran,
    die,
  );
