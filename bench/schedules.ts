import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { open, type Daybook } from "../src/app/library/open.ts";
import { makeSchedule } from "../src/features/schedules/draft.ts";
import { task } from "../src/features/tasks/function.ts";
import { msOf, progress, quantile } from "./measure.ts";
import { bound, none, type Figure } from "./report.ts";

const owners = 200;
const each = 50;
/** Of each owner's: these fire in the same second. */
const firing = 5;
const dayMs = 86_400_000;
const settleMs = 3_000;
const idleMs = 10_000;
const giveUpMs = 30_000;

/** 10,000 schedules, 1,000 of which fire in the same second; and what they cost while none does. */
export async function benchSchedules(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const startedAt: number[] = [];
  const count = owners * firing;
  const all = Promise.withResolvers<void>();
  const noop = task({
    name: "noop",
    input: z.unknown(),
    async run() {
      startedAt.push(Date.now());
      if (startedAt.length === count) all.resolve();
    },
  });
  const daybook = await open({ store: `sqlite:${join(folder, "book.db")}`, tasks: [noop] });
  try {
    const far = Date.now() + dayMs;
    const addMs = await msOf(() => add(daybook, each - firing, far));
    progress(`${owners * (each - firing)} schedules in ${Math.round(addMs)} ms`);
    const at = Math.ceil(Date.now() / 1_000) * 1_000 + settleMs + idleMs + 10_000;
    await add(daybook, firing, at);
    await daybook.start();
    await wait(settleMs);
    const idle = await cpuPercent(idleMs);
    progress(`${count} fire in ${Math.round((at - Date.now()) / 1_000)} s`);
    await Promise.race([all.promise, wait(at - Date.now() + giveUpMs, undefined, { ref: false })]);
    const lateMs = startedAt.map((start) => start - at);
    return [
      bound(`${count} of ${owners * each} started, the last`, lastOf(lateMs, count), 2_000),
      bound("started, p50", quantile(lateMs, 0.5), 2_000),
      none("started early", lateMs.filter((ms) => ms < 0).length),
      { name: "idle CPU", value: idle, unit: "%", goal: "< 1 %", ok: idle < 1 },
    ];
  } finally {
    await daybook.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run that never came is later than any. */
function lastOf(lateMs: readonly number[], count: number): number {
  return lateMs.length < count ? giveUpMs : Math.max(...lateMs);
}

async function add({ ledger }: Daybook, perOwner: number, at: number): Promise<void> {
  const now = Date.now();
  for (let owner = 0; owner < owners; owner += 1) {
    const name = `owner-${owner}`;
    const book = ledger.of(name, "bench");
    await Promise.all(
      Array.from({ length: perOwner }, (_, n) => {
        const body = {
          name: `${perOwner} of ${n}`,
          cadence: { type: "interval", everyMs: dayMs, anchor: at - dayMs },
          whenText: "1d",
          run: { task: "noop", input: null },
          notify: "never",
          target: `inbox:${name}`,
          origin: null,
          misfire: "latest",
          overlap: "skip",
          rerun: false,
          timeoutMs: 60_000,
          notifyAfterFailures: 3,
          disableAfterFailures: 5,
        } as const;
        return book.append(makeSchedule(body, { owner: name, now, limit: each }));
      }),
    );
  }
}

async function cpuPercent(ms: number): Promise<number> {
  const before = process.cpuUsage();
  await wait(ms);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000 / ms) * 100;
}
