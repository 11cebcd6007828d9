import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { timeAt, type Books } from "../testing/crash/books.ts";
import { dieAt, dieAtEachMoment } from "../testing/crash/deaths.ts";
import { startedAt, type AtMoment } from "../testing/crash/node.ts";
import { leaseMs, playOut } from "../testing/crash/playing.ts";
import { notesIn } from "../testing/crash/runs.ts";
import { onEachStore } from "../testing/crash/stores.ts";
import { checkWhen, handled, type WhenRow } from "../testing/crash/when-check.ts";
import { whenNode } from "../testing/crash/when.ts";

/** Works until every event has ended and all was said. What was asked stays open. */
function work(place: string, notes: string, time: Float64Array, at: AtMoment): Promise<void> {
  const queues = ["event", "task@file", "notification"];
  return playOut(place, time, { node: (ledger) => whenNode(ledger, notes, at), queues });
}

/** Before and after each durable step, by who makes it. */
const steps = [
  "event: claimed",
  "before a number",
  "event: before a settle",
  "event: settled",
  "task: claimed",
  "before a run",
  "ran",
  "task: before a settle",
  "task: settled",
  "notification: claimed",
  "before a send",
  "sent",
  "notification: before a settle",
  "notification: settled",
];

async function die(t: TestContext, folder: string, books: Books<WhenRow>): Promise<void> {
  const moments = await dieAtEachMoment(t, folder, {
    script: import.meta.filename,
    make: books.make,
    // When the dead one's lease is over, and long before the next event.
    finish: (place, notes, diedAt = startedAt) =>
      work(place, notes, timeAt(diedAt + leaseMs), () => undefined),
    check: async (place, notes) => checkWhen(await books.read(place), notesIn(notes)),
  });
  // In a database the dead one's claims go on: which of two moments comes first differs from life to life there.
  const least = t.name.startsWith("PostgreSQL") ? 1 : 3;
  for (const step of steps) {
    assert.ok((moments[step] ?? 0) >= least, `${step}: ${moments[step] ?? 0} deaths`);
  }
}

const [, , role, place = "", notes = "", nth = ""] = process.argv;
if (role === "work") {
  const time = timeAt(startedAt);
  await work(place, notes, time, dieAt(Number(nth), time));
} else
  await onEachStore(
    "kill -9 before and after every step of event, task, result, message leaves each in one state, told once (B7.7)",
    handled,
    die,
    { file: true },
  );
