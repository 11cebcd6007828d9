import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileLayouts } from "../src/features/index.ts";
import { makeTask, taskQueue, taskKind } from "../src/features/tasks/kind.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { file } from "../src/stores/file/file.ts";
import { inTurns, median, msOf, perSecond, progress, type Sizes } from "./measure.ts";
import { startPipeline, through } from "./pipeline-node.ts";
import { rate, slower, type Figure } from "./report.ts";
import { dayMs } from "./work.ts";

const inTurnCount = 100;
const few = 100;
const claims = 100;

/** The same on files, beside what the disk allows; and a claim among many files in one folder. */
export async function benchPipelineFiles({ files, rounds }: Sizes): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  try {
    return [
      ...(await beside(folder, { rounds, count: files / 20 })),
      await claimAmong(folder, files),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One after the other: an event is as slow as its commits. Many at once: one commit is of many. */
async function beside(
  folder: string,
  { rounds, count }: { rounds: number; count: number },
): Promise<readonly Figure[]> {
  progress(`${inTurnCount} events one after the other, and ${count} at once`);
  let syncs = 0;
  const ledger = await file({
    folder: join(folder, "book"),
    layouts: fileLayouts,
    onStep: (step) => {
      if (step === "synced") syncs += 1;
    },
  });
  const syncsFor: number[] = [];
  const seen = await inTurns(rounds, {
    oneByOne: async (round) => {
      const before = syncs;
      const perSec = await perSecond(inTurnCount, () => oneByOne(ledger, `one-${round}`));
      syncsFor.push((syncs - before) / inTurnCount);
      return perSec;
    },
    atOnce: (round) => perSecond(count, () => through(ledger, count, `many-${round}`)),
    disk: () => perSecond(syncTurns, () => syncLoop(join(folder, "disk"))),
  });
  await ledger.close();
  const perEvent = median(syncsFor);
  progress(`  the disk: ${Math.round(seen.disk)} syncs/s; an event alone: ${perEvent} of them`);
  const disk = `${Math.round(seen.disk)} syncs/s for ${perEvent.toFixed(1)} each`;
  const allowed = { name: disk, value: seen.disk / perEvent };
  return [
    rate("one event after the other", seen.oneByOne, { ...allowed, min: 0.5 }),
    rate("many at once", seen.atOnce, { ...allowed, min: 0.5 }),
  ];
}

async function oneByOne(ledger: Ledger, batch: string): Promise<void> {
  let said = (): void => undefined;
  const pipeline = await startPipeline(ledger, { ended: () => said() });
  for (let n = 0; n < inTurnCount; n += 1) {
    const end = new Promise<void>((resolve) => (said = resolve));
    await pipeline.emit(`${batch}-${n}`);
    await end;
  }
  await pipeline.stop();
}

const syncTurns = 500;
const lineBytes = 1_500;

/** As the store does it: appended, and no sync holds the event loop. */
async function syncLoop(path: string): Promise<void> {
  const sync = promisify(fdatasync);
  const opened = openSync(path, "a", 0o600);
  for (let turn = 0; turn < syncTurns; turn += 1) {
    writeSync(opened, Buffer.alloc(lineBytes, "x"));
    await sync(opened);
  }
  closeSync(opened);
}

/** A task that waits in `queue/tasks/pending` is claimed, among a hundred files and among many more. */
async function claimAmong(folder: string, files: number): Promise<Figure> {
  progress(`a claim among ${few} and among ${files} files of one folder`);
  const small = await filled(join(folder, "small"), few + claims);
  const large = await filled(join(folder, "large"), files);
  const seen = await inTurns(1, { few: () => claimMs(small), many: () => claimMs(large) });
  await Promise.all([small.close(), large.close()]);
  const beside = { name: `${few} files`, value: seen.few, max: 1.5 };
  return slower(`a claim among ${files} files`, seen.many, beside);
}

async function filled(folder: string, count: number): Promise<Ledger> {
  const ledger = await file({ folder, layouts: fileLayouts });
  const task = { name: "gen-pr", input: null, at: 1, target: "inbox:ann", origin: null };
  const draft = makeTask({ ...task, timeoutMs: 60_000 });
  for (let left = count; left > 0; left -= 1_000) {
    const some = Array.from({ length: Math.min(left, 1_000) }, () =>
      ledger.of("ann", "bench").append(draft),
    );
    await Promise.all(some);
  }
  await ledger.close(); // all of them are shown as files by then
  return file({ folder, layouts: fileLayouts });
}

async function claimMs({ work }: Ledger): Promise<number> {
  const times: number[] = [];
  const queue = taskQueue("gen-pr");
  for (let n = 0; n < claims; n += 1) {
    const request = { kind: taskKind, queue, holder: "h", leaseMs: dayMs / 4, limit: 1 } as const;
    times.push(
      await msOf(async () => {
        const { records } = await work.claim(request);
        if (records.length !== 1) throw new Error("A claim found nothing.");
      }),
    );
  }
  return median(times);
}
