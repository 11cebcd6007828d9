import type { TestContext } from "node:test";
import type { Answers, Engine } from "../../kernel/verbs.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memoryEngine } from "../../stores/memory/memory.ts";
import { sampled } from "../depth.ts";
import { replay, type Step } from "./replay.ts";

/** Commands in a trace. */
export const traceLength = 80;

/** `DAYBOOK_TRACES` replaces the default number of traces. */
const requested = Number(process.env["DAYBOOK_TRACES"] || 0);

/** The same seeds for every store. */
export function everySeed(usual: number): readonly number[] {
  return Array.from({ length: requested || usual }, (_, index) => index + 1);
}

/** The seeds of a test: one of ten in a sample; `DAYBOOK_TRACES` is never sampled. */
export function traceSeeds(t: TestContext, usual: number): readonly number[] {
  const seeds = everySeed(usual);
  return requested ? seeds : sampled(t, seeds, { size: usual / 10, of: "traces" });
}

type Open = (now: () => number) => Engine & { close?(): void };

/** Replays on a store that answers at once. */
export async function replayEngine(seed: number, open: Open): Promise<readonly Step[]> {
  let now = 0;
  const engine = open(() => now);
  const verbs: Answers = engine;
  try {
    return await replay(
      {
        perform: async (verb, input) => verbs[verb](input),
        setNow: (ms) => void (now = ms),
        hinted: () => engine.takeHints(),
      },
      seed,
      traceLength,
    );
  } finally {
    engine.close?.();
  }
}

/** Replays on the memory store, whose answers every store must give. */
export function replayModel(seed: number): Promise<readonly Step[]> {
  return replayEngine(seed, (now) =>
    memoryEngine({ now, ids: ids({ wall: now }, seededRandom(seed)) }),
  );
}
