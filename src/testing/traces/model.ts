import type { TestContext } from "node:test";
import type { Answers, Engine } from "../../kernel/verbs.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memoryEngine } from "../../stores/memory/memory.ts";
import { sampled } from "../depth.ts";
import { replay, type Step } from "./traces.ts";

/** Commands in a trace. */
export const traceLength = 80;

/** `DAYBOOK_TRACES` says how many where the usual number is not enough. */
const asked = Number(process.env["DAYBOOK_TRACES"] || 0);

/** The same seeds for every store. */
export function everySeed(usual: number): readonly number[] {
  return Array.from({ length: asked || usual }, (_, index) => index + 1);
}

/** Those that a test plays: in a sample one of ten, and always as many as were asked for. */
export function traceSeeds(t: TestContext, usual: number): readonly number[] {
  const seeds = everySeed(usual);
  return asked ? seeds : sampled(t, seeds, { size: usual / 10, of: "traces" });
}

type Open = (now: () => number) => Engine & { close?(): void };

/** Replays on a store that answers at once. */
export async function playEngine(seed: number, open: Open): Promise<readonly Step[]> {
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

/** What every store must answer. */
export function playModel(seed: number): Promise<readonly Step[]> {
  return playEngine(seed, (now) =>
    memoryEngine({ now, ids: ids({ wall: now }, seededRandom(seed)) }),
  );
}
