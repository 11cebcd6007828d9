import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { openBook, timeAt, type Books } from "../testing/crash/books.ts";
import { check, said, type Row } from "../testing/crash/check.ts";
import { dieAt, dieAtEachMoment, untilNothingIsLeft } from "../testing/crash/deaths.ts";
import { arrivalsIn, crashNode, startedAt, type AtMoment } from "../testing/crash/node.ts";
import { onEachStore } from "../testing/crash/stores.ts";

/** Works until nothing is left to do. */
async function work(place: string, sends: string, time: Float64Array, at: AtMoment): Promise<void> {
  const ledger = await openBook(place, time);
  const node = crashNode(ledger, sends, at);
  await node.start();
  await untilNothingIsLeft(ledger, time, { queues: ["notification"], stepMs: 1_000 });
  await node.stop();
  await ledger.close();
}

async function die(t: TestContext, folder: string, books: Books<Row>): Promise<void> {
  const moments = await dieAtEachMoment(t, folder, {
    script: import.meta.filename,
    make: books.make,
    finish: (place, sends) =>
      work(place, sends, timeAt(startedAt + 86_400_000 / 2), () => undefined),
    check: async (place, sends) => check(await books.read(place), arrivalsIn(sends)),
  });
  for (const kind of ["claimed", "before a keep", "kept", "before a send", "sent"]) {
    assert.ok((moments[kind] ?? 0) >= 2, kind);
  }
  assert.ok((moments["before a settle"] ?? 0) >= 8);
  assert.ok((moments["settled"] ?? 0) >= 8);
}

const [, , role, place = "", sends = "", nth = ""] = process.argv;
if (role === "work") {
  const time = timeAt(startedAt);
  await work(place, sends, time, dieAt(Number(nth), time));
} else
  await onEachStore("kill -9 before and after every step of a delivery loses nothing", said, die);
