import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { timeAt, type Books } from "../testing/crash/books.ts";
import { dieAt, dieAtEachMoment } from "../testing/crash/deaths.ts";
import { checkNags, nagged, type NagRow } from "../testing/crash/nags-check.ts";
import { nagsNode } from "../testing/crash/nags.ts";
import { arrivalsIn, startedAt, type AtMoment } from "../testing/crash/node.ts";
import { leaseMs, playOut } from "../testing/crash/playing.ts";
import { onEachStore } from "../testing/crash/stores.ts";

/** Works until both rest. */
function work(place: string, notes: string, time: Float64Array, at: AtMoment): Promise<void> {
  const queues = ["nag", "notification"];
  return playOut(place, time, { node: (ledger) => nagsNode(ledger, notes, at), queues });
}

/** Before and after each durable step, by who makes it. */
const steps = [
  "nag: claimed",
  "nag: before a settle",
  "nag: settled",
  "notification: claimed",
  "before a send",
  "sent",
  "notification: before a settle",
  "notification: settled",
];

async function die(t: TestContext, folder: string, books: Books<NagRow>): Promise<void> {
  const moments = await dieAtEachMoment(t, folder, {
    script: import.meta.filename,
    make: books.make,
    // When the dead one's lease is over, and long before the next time.
    finish: (place, notes, diedAt = startedAt) =>
      work(place, notes, timeAt(diedAt + leaseMs), () => undefined),
    check: async (place, notes) => checkNags(await books.read(place), arrivalsIn(notes)),
  });
  for (const step of steps) {
    assert.ok((moments[step] ?? 0) >= 4, `${step}: ${moments[step] ?? 0} deaths`);
  }
}

const [, , role, place = "", notes = "", nth = ""] = process.argv;
if (role === "work") {
  const time = timeAt(startedAt);
  await work(place, notes, time, dieAt(Number(nth), time));
} else
  await onEachStore(
    "kill -9 before and after every step of due, said, delivered, next loses nothing",
    nagged,
    die,
    { file: true },
  );
