import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { checkKept, kept, type WorkspaceRow } from "../testing/crash/always-check.ts";
import { makeHome, workAlways } from "../testing/crash/always.ts";
import { timeAt, type Books } from "../testing/crash/books.ts";
import { dieAt, dieAtEachMoment } from "../testing/crash/deaths.ts";
import { startedAt } from "../testing/crash/node.ts";
import { leaseMs } from "../testing/crash/playing.ts";
import { onEachStore } from "../testing/crash/stores.ts";

/** Before and after each step, in the ledger and out there. */
const steps = [
  "workspace: claimed",
  "workspace: before a keep",
  "workspace: kept",
  "workspace: before a settle",
  "workspace: settled",
  "before machine removal",
  "before read",
  "before upload",
  "a piece of the upload",
  "after upload",
  "before reading back",
  "a piece read",
  "before meta",
  "after meta",
  "before volume removal",
  "after volume removal",
  "before restore",
  "a piece restored",
  "after restore",
];

async function die(t: TestContext, folder: string, books: Books<WorkspaceRow>): Promise<void> {
  const moments = await dieAtEachMoment(t, folder, {
    script: import.meta.filename,
    make: books.make,
    finish: (place, notes, diedAt = startedAt) =>
      workAlways(place, notes, timeAt(diedAt + leaseMs), () => undefined),
    check: async (place, notes) => checkKept(await books.read(place), notes),
  });
  for (const step of steps) assert.ok((moments[step] ?? 0) >= 1, `nobody died ${step}`);
}

const [, , role, place = "", notes = "", nth = ""] = process.argv;
if (role === "work") {
  const time = timeAt(startedAt);
  await makeHome(notes);
  await workAlways(place, notes, time, dieAt(Number(nth), time));
} else
  await onEachStore(
    "kill -9 before and after every step into an archive and back loses nothing of a home",
    kept,
    die,
    { file: true },
  );
