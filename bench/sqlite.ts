import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { inTurns, perSecond, progress, type Sizes } from "./measure.ts";
import { polls } from "./polls.ts";
import { bound, rate, slower, type Figure } from "./report.ts";
import { deadLanes, precision } from "./runtime.ts";
import { bareLedger, type Bare } from "./sqlite-bare.ts";
import { fillFile, makeFiles, sqliteStand } from "./sqlite-load.ts";
import type { Stand } from "./stand.ts";
import { appendTurns, bursts, drain, emptyPoll } from "./work.ts";

/** The store beside a bare loop, in turns, on files with the same content. */
export async function benchSqlite(sizes: Sizes): Promise<readonly Figure[]> {
  progress(`loading ${sizes.future} future records`);
  const few = await contender(0);
  const many = await contender(sizes.future);
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  try {
    return [
      ...(await drains(few, many, sizes)),
      ...(await appends(many, sizes)),
      ...(await polls(few, many, sizes)),
      await longestHold(many),
      ...(await deadLanes((name) => sqliteStand(join(folder, name)), sizes)),
      ...(await precision(`sqlite:${join(folder, "precision")}`)),
    ];
  } finally {
    await few.close();
    await many.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file with the store, and one like it with the bare loop. */
interface Contender extends Stand {
  readonly bare: Bare;
  readonly barePath: string;
}

async function contender(future: number): Promise<Contender> {
  const files = makeFiles(future);
  const stand = await sqliteStand(files.store);
  const bare = bareLedger(files.bare);
  return {
    ...stand,
    bare,
    barePath: files.bare,
    async close() {
      await stand.close();
      bare.close();
      files.remove();
    },
  };
}

async function drains(few: Contender, many: Contender, sizes: Sizes): Promise<readonly Figure[]> {
  const { drain: rows, future } = sizes;
  const load = (round: number): { rows: number; wakeAt: number; queue: string } => ({
    rows,
    wakeAt: Date.now() - 60_000,
    queue: `notification@drain-${round}`,
  });
  const ours = (stand: Stand) => async (round: number) => {
    await stand.add(load(round));
    return perSecond(rows, () => drain(stand.ledger, load(round).queue));
  };
  const bare = (stand: Contender) => async (round: number) => {
    await fillFile(stand.barePath, load(round));
    return perSecond(rows, async () => stand.bare.drain(load(round).queue));
  };
  progress(`drain of ${rows}, with 0 and with ${future} in the future`);
  const seen = await inTurns(sizes.rounds, {
    ours: ours(few),
    bare: bare(few),
    oursMany: ours(many),
    bareMany: bare(many),
  });
  const growth = { name: "empty", value: 1e6 / seen.ours, max: 1.1 };
  return [
    rate("drain", seen.ours, { value: seen.bare, min: 0.5 }),
    rate(`drain, ${future} future`, seen.oursMany, { value: seen.bareMany, min: 0.5 }),
    slower(`1,000 drained, ${future} future`, 1e6 / seen.oursMany, growth),
  ];
}

async function appends(stand: Contender, { rounds }: Sizes): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const burst of bursts) {
    const { atOnce, count } = burst;
    progress(`append, ${atOnce} at once`);
    const bareTurns = async (): Promise<void> => {
      for (let left = count; left > 0; left -= atOnce) stand.bare.append(atOnce);
    };
    const seen = await inTurns(rounds, {
      ours: () => perSecond(count, () => appendTurns(stand.ledger, burst)),
      bare: () => perSecond(count, bareTurns),
    });
    figures.push(rate(`append ×${atOnce}`, seen.ours, { value: seen.bare, min: 0.5 }));
  }
  return figures;
}

/** Bulk appends, drains and polls all at once, with the future records beneath. */
async function longestHold({ ledger, add }: Stand): Promise<Figure> {
  progress("longest hold of the event loop");
  const queue = "notification@hold";
  await add({ rows: 10_000, wakeAt: Date.now() - 60_000, queue });
  const holds = monitorEventLoopDelay({ resolution: 1 });
  holds.enable();
  await Promise.all([
    appendTurns(ledger, { atOnce: 1000, count: 5000 }),
    drain(ledger, queue),
    emptyPoll(ledger),
  ]);
  holds.disable();
  return bound("longest hold of the event loop", holds.max / 1e6, 50);
}
