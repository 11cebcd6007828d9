import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ids } from "../../base/ids.ts";
import { chance, seededRandom } from "../../base/random.ts";
import { assertShown } from "../../testing/ledger-folder.ts";
import { replay, type Stage, type Step } from "../../testing/traces/traces.ts";
import { memoryEngine } from "../memory/memory.ts";
import type { Answers, Perform, Transport } from "../verbs.ts";
import { fileStore } from "./file.ts";

const traces = 100;
const length = 80;
const queues = ["node", "node@a", "node@b", "chore", "chore@a", "chore@b", "notification"];

function playModel(seed: number): Promise<readonly Step[]> {
  let now = 0;
  const engine = memoryEngine({
    now: () => now,
    ids: ids({ wall: () => now }, seededRandom(seed)),
  });
  const verbs: Answers = engine;
  const perform: Perform = async (verb, input) => verbs[verb](input);
  const setNow = (ms: number): number => (now = ms);
  return replay({ perform, setNow, hinted: () => engine.takeHints() }, seed, length);
}

interface Trouble {
  /** How often the store is closed and opened again before a call. */
  reopens?: number;
  /** How often a call fails first, because the journal cannot be written. */
  failures?: number;
  checkpointCommits?: number;
}

async function playFile(
  folder: string,
  seed: number,
  { reopens = 0, failures = 0, checkpointCommits = 1000 }: Trouble,
): Promise<readonly Step[]> {
  let now = 0;
  const random = seededRandom(seed + 7);
  const made = ids({ wall: () => now }, seededRandom(seed + 1));
  const heard = new Set<string>();
  let isFull = false;
  const onStep = (step: string): void => {
    if (isFull && step === "begun") throw new Error("The disk is full.");
  };
  const open = async (): Promise<Transport> => {
    const store = await fileStore({ folder, now: () => now, ids: made, checkpointCommits, onStep });
    for (const queue of queues) store.onHint(queue, () => heard.add(queue));
    return store;
  };
  let store = await open();
  const stage: Stage = {
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
      const queues = [...heard];
      heard.clear();
      return queues;
    },
  };
  const steps = await replay(stage, seed, length);
  await store.close();
  return steps;
}

async function assertAlike(trouble: Trouble): Promise<void> {
  for (let seed = 1; seed <= traces; seed += 1) {
    const folder = mkdtempSync(join(tmpdir(), "daybook-"));
    const [model, ours] = [await playModel(seed), await playFile(folder, seed, trouble)];
    const at = model.findIndex(({ answer }, index) => answer !== ours[index]?.answer);
    const asked = `seed ${seed}, step ${at}: ${model[at]?.verb} ${model[at]?.asked}`;
    assert.equal(ours[at]?.answer, model[at]?.answer, `${asked} is answered unlike the model`);
    assert.equal(ours.length, model.length);
    assertShown(folder);
    rmSync(folder, { recursive: true });
  }
}

test("the file store answers every trace as the model does", () => assertAlike({}));

test("so it does when it is closed and opened again at any time, with checkpoints in between", () =>
  assertAlike({ reopens: 0.07, checkpointCommits: 3 }));

test("a commit that fails leaves nothing behind, whatever it was", () =>
  assertAlike({ failures: 0.4, reopens: 0.02, checkpointCommits: 20 }));
