import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "../src/kernel/ledger.ts";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import { inTurns, msOf, perSecond, progress, quantile, type Sizes } from "./measure.ts";
import { barePipeline } from "./pipeline-bare.ts";
import { benchPipelineFiles } from "./pipeline-files.ts";
import { startPipeline, through } from "./pipeline-node.ts";
import { atLeast, bound, none, rate, type Figure } from "./report.ts";

const stores: Readonly<Record<string, (sizes: Sizes) => Promise<readonly Figure[]>>> = {
  sqlite: benchPipelineSqlite,
  file: benchPipelineFiles,
};

export const pipelineStores = Object.keys(stores);

/** Event → task → a result that does nothing → messages in a thread, on the stores that are named. */
export async function benchPipeline(
  sizes: Sizes,
  names: readonly string[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of names.length === 0 ? pipelineStores : names) {
    progress(`— ${name} —`);
    const measured = (await stores[name]?.(sizes)) ?? [];
    figures.push(...measured.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
  }
  return figures;
}

const perSecondMin = 2_000;

async function benchPipelineSqlite({ drain, rounds }: Sizes): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const count = drain / 5;
  const ledger = await sqlite({ path: join(folder, "book.db") });
  const bare = barePipeline(join(folder, "bare.db"));
  try {
    progress(`${count} events from their append to the end of their thread`);
    const seen = await inTurns(rounds, {
      ours: (round) => perSecond(count, () => through(ledger, count, `round-${round}`)),
      bare: () => perSecond(count, async () => bare.run(count)),
    });
    return [
      atLeast("events, end to end", seen.ours, perSecondMin),
      rate("the same, beside the bare loop", seen.ours, { value: seen.bare, min: 0.4 }),
      ...(await latencies(ledger, seen.ours, drain / 10_000)),
    ];
  } finally {
    await ledger.close();
    bare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is said is late by so much, when events come at half the rate that must be reached, or was. */
async function latencies(
  ledger: Ledger,
  reached: number,
  seconds: number,
): Promise<readonly Figure[]> {
  const load = Math.round(Math.min(reached, perSecondMin) / 2);
  const count = Math.round(load * 5 * seconds);
  progress(`${count} events, ${load} a second`);
  const toldAt = new Map<string, number>();
  const lateMs: number[] = [];
  const all = Promise.withResolvers<void>();
  const pipeline = await startPipeline(ledger, {
    ended(name) {
      const at = toldAt.get(name);
      toldAt.delete(name);
      if (at !== undefined) lateMs.push(performance.now() - at);
      if (lateMs.length === count) all.resolve();
    },
  });
  const start = performance.now();
  const telling: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    const aheadMs = start + (n * 1_000) / load - performance.now();
    if (aheadMs > 1) await wait(aheadMs);
    const name = `paced-${n}`;
    toldAt.set(name, performance.now());
    telling.push(pipeline.emit(name));
  }
  const lastMs = await msOf(async () => {
    await Promise.all(telling);
    await Promise.race([all.promise, wait(giveUpMs, undefined, { ref: false })]);
  });
  progress(`  the last came ${Math.round(lastMs)} ms after it was told`);
  await pipeline.stop();
  return [
    bound(`told to said, ${load} a second, p50`, quantile(lateMs, 0.5), 25),
    bound(`told to said, ${load} a second, p99`, quantile(lateMs, 0.99), 50),
    none("never said", count - lateMs.length),
  ];
}

const giveUpMs = 30_000;
