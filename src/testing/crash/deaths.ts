import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Ledger } from "../../kernel/ledger.ts";
import type { AtMoment } from "./node.ts";

/** What a process is killed in, again and again: once at each of its moments. */
interface Play {
  /** A script that plays it when it is told to `work`, and dies at the moment it is given. */
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

/** One death at each moment, and after each a look at what another node made of it. Gives how many died at each. */
export async function dieAtEachMoment(
  t: TestContext,
  folder: string,
  play: Play,
): Promise<ReadonlyMap<string, number>> {
  const compiled = process.env["NODE_COMPILE_CACHE"] ?? join(folder, "compiled"); // the next one need not compile it again
  const live = async (nth: number, until: string): Promise<Life> => {
    const [place, notes] = [await play.make(nth), join(folder, `${nth}.notes`)];
    writeFileSync(notes, "");
    const life = await workAndDie([play.script, "work", place, notes, until], compiled);
    await play.finish(place, notes, life.died?.at);
    await play.check(place, notes);
    return life;
  };
  const { moments } = await live(0, "");
  const deaths = new Map<string, number>();
  for (let first = 0; first < moments.length; first += atOnce) {
    const lives = moments
      .slice(first, first + atOnce)
      .map((moment, next) => live(1 + first + next, counted(moment)));
    await Promise.allSettled(lives); // a failure of one pulls nothing away under the others
    for (const { died } of await Promise.all(lives)) {
      if (died) deaths.set(died.step, (deaths.get(died.step) ?? 0) + 1);
    }
  }
  t.diagnostic(`${[...deaths.values()].reduce((all, one) => all + one, 0)} deaths`);
  return deaths;
}

/** A step of somebody. Who comes first differs from life to life, how often each comes does not: so it has a number. */
interface Moment {
  readonly step: string;
  readonly nth: number;
  readonly at: number;
}

const counted = ({ step, nth }: Moment): string => `${step} ${nth}`;

interface Life {
  readonly moments: readonly Moment[];
  readonly died: Moment | undefined;
}

/** In a process of its own; answers what it went through. */
async function workAndDie(args: readonly string[], compiled: string): Promise<Life> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const lines = said.split("\n").filter(Boolean);
  const moments = lines.map((line) => JSON.parse(line) as Moment);
  if (signal === "SIGKILL") return { moments, died: moments.at(-1) };
  assert.equal(code, 0);
  return { moments, died: undefined };
}

/** Says each moment, and kills this process at one. */
export function dieAt(last: string, time: Float64Array): AtMoment {
  const steps = new Map<string, number>();
  return (step) => {
    const nth = (steps.get(step) ?? 0) + 1;
    steps.set(step, nth);
    const moment: Moment = { step, nth, at: time[0] ?? NaN };
    writeSync(1, `${JSON.stringify(moment)}\n`);
    if (counted(moment) === last) process.kill(process.pid, "SIGKILL");
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
