import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Ledger } from "../src/ledger/ledger.ts";
import { openDatabase } from "../src/ledger/sqlite/database.ts";
import { sqlite } from "../src/ledger/sqlite/sqlite.ts";
import { bareLedger, outcome, type Bare } from "./ledger-bare.ts";
import { body, fill, makeFiles, type Files } from "./ledger-load.ts";
import { bound, median, rate, type Figure } from "./report.ts";

const rounds = 3;
const drainRows = 50_000;

/** The store beside a bare loop, in turns, on files with the same content. */
export async function benchLedger(quick: boolean): Promise<readonly Figure[]> {
  const files = makeFiles(quick ? 100_000 : 1_000_000);
  const ledger = await sqlite({ path: files.store });
  const bare = bareLedger(files.bare);
  const holds = monitorEventLoopDelay({ resolution: 1 });
  try {
    return [
      await drains(ledger, bare, files),
      await appends(ledger, bare, { name: "append ×10", atOnce: 10, count: 5000 }),
      await appends(ledger, bare, { name: "append ×1000", atOnce: 1000, count: 20_000 }),
      bound("empty poll", await emptyPoll(ledger), 2),
      bound("empty poll, 100,000 leased by a dead node", await pollBesideDead(ledger, files), 2),
      bound("longest hold of the event loop", await longestHold(ledger, files, holds), 50),
    ];
  } finally {
    await ledger.close();
    bare.close();
    files.remove();
  }
}

async function drains(ledger: Ledger, bare: Bare, files: Files): Promise<Figure> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const queue = `notification@drain-${round}`;
    addDue(files.store, queue, drainRows);
    addDue(files.bare, queue, drainRows);
    theirs.push(await perSecond(drainRows, async () => void bare.drain(queue)));
    ours.push(await perSecond(drainRows, () => drain(ledger, queue)));
  }
  return rate("drain: claim and settle 500", median(ours), median(theirs), 0.5);
}

/** Two hands, as a node has: one claims while the other settles. */
async function drain(ledger: Ledger, queue: string): Promise<void> {
  const hand = async (): Promise<void> => {
    for (;;) {
      const request = {
        kind: "notification",
        queue,
        holder: "h",
        leaseMs: 60_000,
        limit: 500,
      } as const;
      const { records } = await ledger.work.claim(request);
      if (records.length === 0) return;
      const settled = await ledger.work.settle(
        records.map(({ id, lease, revision }) => ({
          id,
          fence: lease.fence,
          revision,
          ends: "delivered",
          outcome,
        })),
      );
      if (settled.some(({ result }) => result !== "settled")) throw new Error("A settle was lost.");
    }
  };
  await Promise.all([hand(), hand()]);
}

interface Burst {
  name: string;
  atOnce: number;
  count: number;
}

async function appends(ledger: Ledger, bare: Bare, burst: Burst): Promise<Figure> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const turns = burst.count / burst.atOnce;
  for (let round = 0; round < rounds; round += 1) {
    const bareTurns = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) bare.append(burst.atOnce);
    };
    theirs.push(await perSecond(burst.count, bareTurns));
    ours.push(await perSecond(burst.count, () => appendTurns(ledger, turns, burst.atOnce)));
  }
  return rate(burst.name, median(ours), median(theirs), 0.5);
}

async function appendTurns(ledger: Ledger, turns: number, atOnce: number): Promise<void> {
  const wakeAt = Date.now() + 86_400_000;
  for (let turn = 0; turn < turns; turn += 1) {
    const append = (_: unknown, n: number): Promise<unknown> =>
      ledger
        .of(`owner-${(turn * atOnce + n) % 1000}`, "cli")
        .append({ kind: "notification", state: "pending", body, wakeAt });
    await Promise.all(Array.from({ length: atOnce }, append));
  }
}

async function emptyPoll(ledger: Ledger): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    const start = performance.now();
    await ledger.work.claim({ kind: "notification", holder: "h", leaseMs: 60_000, limit: 500 });
    times.push(performance.now() - start);
  }
  return median(times);
}

async function pollBesideDead(ledger: Ledger, files: Files): Promise<number> {
  const database = openDatabase(files.store);
  const wakeAt = Date.now() + 86_400_000;
  fill(database, { rows: 100_000, wakeAt, queue: "notification", holder: "dead" });
  database.close();
  return emptyPoll(ledger);
}

/** Bulk appends, drains and polls all at once, with a million rows beneath. */
async function longestHold(
  ledger: Ledger,
  files: Files,
  holds: ReturnType<typeof monitorEventLoopDelay>,
): Promise<number> {
  const queue = "notification@hold";
  addDue(files.store, queue, 10_000);
  holds.enable();
  await Promise.all([appendTurns(ledger, 5, 1000), drain(ledger, queue), emptyPoll(ledger)]);
  holds.disable();
  return holds.max / 1e6;
}

function addDue(path: string, queue: string, rows: number): void {
  const database = openDatabase(path);
  fill(database, { rows, wakeAt: Date.now() - 60_000, queue });
  database.close();
}

async function perSecond(count: number, run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (count / (performance.now() - start)) * 1000;
}
