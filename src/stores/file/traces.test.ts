import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileLayouts as layouts } from "../../features/index.ts";
import type { Transport } from "../../kernel/verbs.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { chance } from "../../testing/chance.ts";
import { assertShown } from "../../testing/ledger-folder.ts";
import { replayModel, traceLength, traceSeeds } from "../../testing/traces/model.ts";
import { assertSameAnswers, replay, type Fixture, type Step } from "../../testing/traces/replay.ts";
import { fileStore } from "./file.ts";

const queues = ["node", "node@a", "node@b", "chore", "chore@a", "chore@b", "notification"];

interface Faults {
  /** How often the store is closed and opened again before a call. */
  reopens?: number;
  /** How often a call fails first, because the journal cannot be written. */
  failures?: number;
  checkpointCommits?: number;
}

async function replayFile(
  folder: string,
  seed: number,
  { reopens = 0, failures = 0, checkpointCommits = 1000 }: Faults,
): Promise<readonly Step[]> {
  let now = 0;
  const random = seededRandom(seed + 7);
  const newIds = ids({ wall: () => now }, seededRandom(seed + 1));
  const hints = new Set<string>();
  let isFull = false;
  const onStep = (step: string): void => {
    if (isFull && step === "started") throw new Error("The disk is full.");
  };
  const open = async (): Promise<Transport> => {
    const store = await fileStore({
      folder,
      layouts,
      now: () => now,
      ids: newIds,
      checkpointCommits,
      onStep,
    });
    for (const queue of queues) store.onHint(queue, () => hints.add(queue));
    return store;
  };
  let store = await open();
  const fixture: Fixture = {
    async perform(verb, input) {
      if (chance(random, reopens)) {
        await store.close();
        store = await open();
      }
      isFull = chance(random, failures);
      if (isFull) await store.perform(verb, input).catch(() => undefined);
      isFull = false;
      return store.perform(verb, input);
    },
    setNow: (ms) => (now = ms),
    hinted() {
      const queues = [...hints];
      hints.clear();
      return queues;
    },
  };
  const steps = await replay(fixture, seed, traceLength);
  await store.close();
  return steps;
}

async function replayAll(seeds: readonly number[], faults: Faults): Promise<void> {
  const disk = quickDisk();
  for (const seed of seeds) {
    const folder = mkdtempSync(join(disk, "daybook-"));
    try {
      assertSameAnswers(seed, await replayModel(seed), await replayFile(folder, seed, faults));
      assertShown(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** A disk in memory, where there is one: answers do not depend on the disk. */
function quickDisk(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

test("the file store answers every trace as the memory store does", (t) =>
  replayAll(traceSeeds(t, 1_000), {}));

test("reopening at any time, with checkpoints, changes no answer", (t) =>
  replayAll(traceSeeds(t, 100), { reopens: 0.07, checkpointCommits: 3 }));

test("a failed commit of any call leaves no change", (t) =>
  replayAll(traceSeeds(t, 100), { failures: 0.4, reopens: 0.02, checkpointCommits: 20 }));
