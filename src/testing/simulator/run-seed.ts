import type { Engine } from "../../kernel/verbs.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { memoryEngine } from "../../stores/memory/memory.ts";
import { sqliteEngine } from "../../stores/sqlite/engine.ts";
import { chance, intBelow } from "../chance.ts";
import type { Violation } from "../oracle/model.ts";
import { kernel, startOfTime, type Kernel } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import { runWorld } from "./run-world.ts";
import { minuteScale, type Scale } from "./scale.ts";
import type { Trap } from "./trap.ts";
import type { Workload } from "./workload.ts";

export type StoreName = "memory" | "sqlite";

export interface SeedOptions {
  seed: number;
  store?: StoreName;
  scale?: Scale;
  marks: Marks;
  trap: Trap;
  keepLines?: boolean;
  /** Features beside those of the program, and what is done with them. */
  workloads?: readonly Workload[];
}

export interface SeedResult {
  readonly seed: number;
  readonly store: StoreName;
  readonly events: number;
  readonly digest: string;
  readonly violation: Violation | undefined;
  readonly lines: readonly string[];
}

const noGlobals = "time, randomness and the outside world come through ports";

/** Seeds alternate between the stores unless one is named. */
export function storeOf(seed: number): StoreName {
  return seed % 2 === 0 ? "memory" : "sqlite";
}

/** Within an hour, and often at its end: what is counted by the hour must meet the next one. */
function startOf(seed: number, { name }: Scale): number {
  const random = seededRandom(seed + 7 * 2 ** 32);
  const minute = chance(random, 0.3) ? 59 : intBelow(random, 60);
  const start = startOfTime + minute * 60_000 + intBelow(random, 60_000);
  // Any month of the year: clocks are put forward and back in some.
  return name !== "minute" ? start + intBelow(random, 365) * 86_400_000 : start;
}

/** One run from one number: the same number gives the same run on every machine. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const { seed, marks, store = storeOf(seed), scale = minuteScale, keepLines = false } = options;
  const { workloads = [] } = options;
  const virtual = kernel(seed, keepLines, startOf(seed, scale));
  const clock = { offset: 0, now: () => virtual.now() + clock.offset };
  const { engine, close } = openEngine(store, virtual, clock.now);
  try {
    const [violation] = await runWorld({ kernel: virtual, engine, marks, clock, scale, workloads });
    const [hidden] = options.trap.caught;
    return {
      seed,
      store,
      events: virtual.events(),
      digest: virtual.trace.digest(),
      violation: hidden === undefined ? violation : { invariant: noGlobals, detail: hidden },
      lines: virtual.trace.lines,
    };
  } finally {
    close();
  }
}

function openEngine(
  store: StoreName,
  virtual: Kernel,
  now: () => number,
): { engine: Engine; close(): void } {
  const made = ids({ wall: now }, virtual.randomFor(1));
  if (store === "memory") {
    return { engine: memoryEngine({ now, ids: made }), close: () => undefined };
  }
  const engine = sqliteEngine({ path: ":memory:", now, ids: made });
  return { engine, close: () => engine.close() };
}
