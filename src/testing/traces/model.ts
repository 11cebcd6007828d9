import type { Answers, Engine } from "../../kernel/verbs.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memoryEngine } from "../../stores/memory/memory.ts";
import { replay, type Step } from "./traces.ts";

/** Commands in a trace. */
export const traceLength = 80;

/** The same seeds for every store; `DAYBOOK_TRACES` says how many where the usual number is not enough. */
export function traceSeeds(usual: number): readonly number[] {
  const count = Number(process.env["DAYBOOK_TRACES"] || usual);
  return Array.from({ length: count }, (_, index) => index + 1);
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
