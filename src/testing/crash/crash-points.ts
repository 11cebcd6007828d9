import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Service } from "../../platform/service.ts";
import { sampled } from "../depth.ts";
import { openLedger } from "./ledgers.ts";
import type { OnStep } from "./node.ts";

/** Work that a process does on a ledger, and is killed in. */
interface CrashRun {
  /** A script that does the work when its first argument is `work`, and kills itself at the given step. */
  readonly script: string;
  /** Creates a ledger on which the work has not started, and answers its location. */
  create(nth: number): Promise<string>;
  /** Another node finishes the work. `crashedAt`: when the first one was killed, if it was. */
  finish(location: string, logPath: string, crashedAt: number | undefined): Promise<void>;
  /** Checks the finished ledger without the store's own code. */
  check(location: string, logPath: string): Promise<void>;
  /** Which crashes a sample takes, from 0 to 1. */
  readonly sampleShift: number;
}

/** How often a step was reached in a run without a crash, how many crashes were planned at it, and happened. */
interface StepCounts {
  reached: number;
  planned: number;
  crashed: number;
}

/** How many processes run beside each other. */
const concurrency = 4;

/** The crashes of one run on one store in a sample. */
const sampleSize = 3;

/** Crashes once at each step, and checks each time what another node finished. Answers the counts by step. */
export async function crashAtEachStep(
  t: TestContext,
  folder: string,
  run: CrashRun,
): Promise<ReadonlyMap<string, StepCounts>> {
  const compileCache = process.env["NODE_COMPILE_CACHE"] ?? join(folder, "compiled"); // shared by all processes
  const runOnce = async (nth: number, killAtStep: string): Promise<WorkerRun> => {
    const [location, logPath] = [await run.create(nth), join(folder, `${nth}.log`)];
    writeFileSync(logPath, "");
    const args = [run.script, "work", location, logPath, killAtStep];
    const workerRun = await runWorker(args, compileCache);
    await run.finish(location, logPath, workerRun.crashed?.at);
    await run.check(location, logPath);
    return workerRun;
  };
  const { reached } = await runOnce(0, "");
  // The order of steps differs from run to run, and a sample has the same ones in every run.
  const inOrder = reached.toSorted((a, b) => (stepKey(a) < stepKey(b) ? -1 : 1));
  const planned = sampled(t, inOrder, { size: sampleSize, of: "crashes", shift: run.sampleShift });
  const counts = new Map<string, StepCounts>();
  const count = ({ step }: ReachedStep, what: keyof StepCounts): void => {
    const before = counts.get(step) ?? { reached: 0, planned: 0, crashed: 0 };
    counts.set(step, { ...before, [what]: before[what] + 1 });
  };
  for (const each of reached) count(each, "reached");
  for (const each of planned) count(each, "planned");
  for (let first = 0; first < planned.length; first += concurrency) {
    const runs = planned
      .slice(first, first + concurrency)
      .map((each, next) => runOnce(1 + first + next, stepKey(each)));
    await Promise.allSettled(runs); // a failure of one must not remove the folder of the others
    for (const { crashed } of await Promise.all(runs)) {
      if (crashed) count(crashed, "crashed");
    }
  }
  t.diagnostic(`${counts.values().reduce((all, { crashed }) => all + crashed, 0)} crashes`);
  return counts;
}

/** A step that was reached. The order of steps differs from run to run, their number does not: so each has one. */
interface ReachedStep {
  readonly step: string;
  readonly nth: number;
  readonly at: number;
}

const stepKey = ({ step, nth }: ReachedStep): string => `${step} ${nth}`;

interface WorkerRun {
  readonly reached: readonly ReachedStep[];
  readonly crashed: ReachedStep | undefined;
}

/** Runs the script in a process of its own. Answers the steps that it reached. */
async function runWorker(args: readonly string[], compileCache: string): Promise<WorkerRun> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const lines = output.split("\n").filter(Boolean);
  const reached = lines.map((line) => JSON.parse(line) as ReachedStep);
  if (signal === "SIGKILL") return { reached, crashed: reached.at(-1) };
  assert.equal(code, 0);
  return { reached, crashed: undefined };
}

/** Prints each step that is reached, and kills this process at one. */
export function killAt(last: string, time: Float64Array): OnStep {
  const counts = new Map<string, number>();
  return (step) => {
    const nth = (counts.get(step) ?? 0) + 1;
    counts.set(step, nth);
    const reached: ReachedStep = { step, nth, at: time[0] ?? NaN };
    writeSync(1, `${JSON.stringify(reached)}\n`);
    if (stepKey(reached) === last) process.kill(process.pid, "SIGKILL");
  };
}

/** Resolves when these queues are empty. The clock advances only while no record in them is due or leased. */
export async function untilQueuesAreEmpty(
  { work }: Ledger,
  time: Float64Array,
  { queues, stepMs }: { queues: readonly string[]; stepMs: number },
): Promise<void> {
  for (;;) {
    const all = (await work.stats()).queues;
    const waiting = all.filter(({ queue }) => queues.includes(queue));
    if (waiting.length === 0) return;
    const isIdle = waiting.every(({ due, leased }) => due + leased === 0);
    if (isIdle) time[0] = (time[0] ?? NaN) + stepMs;
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Works on a ledger until these queues are empty. */
export async function workUntilIdle(
  location: string,
  time: Float64Array,
  { node, queues }: { node(ledger: Ledger): Service; queues: readonly string[] },
): Promise<void> {
  const ledger = await openLedger(location, time);
  const running = node(ledger);
  await running.start();
  await untilQueuesAreEmpty(ledger, time, { queues, stepMs: 300_000 });
  await running.stop();
  await ledger.close();
}
