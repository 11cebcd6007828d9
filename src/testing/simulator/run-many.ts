import { marks, type Marks } from "./marks.ts";
import { runSeed, type SeedResult, type StoreName } from "./run-seed.ts";
import type { Scale } from "./scale.ts";
import { traceOf } from "./trace.ts";
import { setTrap } from "./trap.ts";
import type { Workload } from "./workload.ts";

export interface ManyOptions {
  from: number;
  count: number;
  store?: StoreName;
  scale?: Scale;
  keepLines?: boolean;
  workloads?: readonly Workload[];
  /** Stops after this many violations. */
  failuresMax?: number;
  progress?(done: number): void;
}

export interface Summary {
  readonly seeds: number;
  readonly events: number;
  readonly seconds: number;
  readonly failed: readonly SeedResult[];
  readonly marks: Marks;
  /** Over the hashes of all traces. */
  readonly digest: string;
  readonly lines: readonly string[];
}

/** One seed after another in this process. */
export async function runMany(options: ManyOptions): Promise<Summary> {
  const { from, count, progress, failuresMax = 10, ...each } = options;
  const reached = marks();
  const digests = traceOf(false);
  const failed: SeedResult[] = [];
  const startedAt = performance.now();
  const trap = setTrap();
  // Refusals are answers here, a million of them: nobody reads where each was made.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = options.keepLines ? stackTraceLimit : 0;
  let [seeds, events] = [0, 0];
  let lines: readonly string[] = [];
  try {
    for (; seeds < count && failed.length < failuresMax; seeds += 1) {
      const result = await runSeed({ ...each, seed: from + seeds, marks: reached, trap });
      digests.add(result.seed, result.store, result.digest);
      events += result.events;
      lines = result.lines;
      if (result.violation !== undefined) failed.push(result);
      if (seeds % 10 === 0) progress?.(seeds);
    }
  } finally {
    trap.remove();
    Error.stackTraceLimit = stackTraceLimit;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seeds, events, seconds, failed, marks: reached, digest: digests.digest(), lines };
}
