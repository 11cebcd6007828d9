import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Ledger } from "../../ledger/ledger.ts";
import type { AtMoment } from "./node.ts";

/** What a process is killed in, again and again: once at each of its moments. */
interface Play {
  /** A script that plays it when it is told to `work`, and dies at its nth moment. */
  readonly script: string;
  /** Makes a book in which it has not begun, and says where that is. */
  make(nth: number): Promise<string>;
  /** Another node does what is left. `diedAt`: when the first one died, if it did. */
  finish(place: string, notes: string, diedAt: number | undefined): Promise<void>;
  /** An independent look at the end. */
  check(place: string, notes: string): Promise<void>;
}

/** How many processes work and die beside each other. */
const atOnce = 4;

/** One death at each moment, and after each a look at what another node made of it. Gives the moments. */
export async function dieAtEachMoment(
  t: TestContext,
  folder: string,
  play: Play,
): Promise<Partial<Record<string, number>>> {
  const moments: string[] = [];
  const compiled = join(folder, "compiled"); // code that the next one need not compile
  /** Answers whether it died of it. */
  const killAt = async (nth: number): Promise<boolean> => {
    const [place, notes] = [await play.make(nth), join(folder, `${nth}.notes`)];
    writeFileSync(notes, "");
    const death = await workAndDie([play.script, "work", place, notes, `${nth}`], compiled);
    if (death !== undefined) moments[nth] = death.moment;
    await play.finish(place, notes, death?.at);
    await play.check(place, notes);
    return death !== undefined;
  };
  let more = true;
  for (let nth = 0; more; nth += atOnce) {
    const dead = Array.from({ length: atOnce }, (_, next) => killAt(nth + next));
    await Promise.allSettled(dead); // a failure of one pulls nothing away under the others
    more = (await Promise.all(dead)).every(Boolean);
  }
  t.diagnostic(`${moments.length} deaths`);
  const kinds = Object.groupBy(moments, (moment) => moment);
  return Object.fromEntries(Object.entries(kinds).map(([kind, all = []]) => [kind, all.length]));
}

interface Death {
  readonly moment: string;
  readonly at: number;
}

/** In a process of its own; answers what it said when it died. */
async function workAndDie(args: readonly string[], compiled: string): Promise<Death | undefined> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return JSON.parse(said) as Death;
  assert.equal(code, 0);
  return undefined;
}

/** Kills this process at its nth moment, and says which one it was. */
export function dieAt(nth: number, time: Float64Array): AtMoment {
  let left = nth;
  return (moment) => {
    left -= 1;
    if (left >= 0) return;
    const death: Death = { moment, at: time[0] ?? NaN };
    writeSync(1, JSON.stringify(death));
    process.kill(process.pid, "SIGKILL");
  };
}

/** Resolves when nothing waits in these queues. The clock goes on only when nobody is at work. */
export async function untilNothingIsLeft(
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
