import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Ledger } from "../../kernel/ledger.ts";
import { sampled } from "../depth.ts";
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
  /** Which deaths a sample takes, from 0 to 1. */
  readonly sampleShift: number;
}

/** How often a step came in a life that nobody ended, how often a process was to die at it, and did. */
interface StepDeaths {
  moments: number;
  planned: number;
  died: number;
}

/** How many processes work and die beside each other. */
const atOnce = 4;

/** In a sample of the deaths: so many of each play on each store. */
const sampleSize = 5;

/** One death at each moment, and after each a look at what another node made of it. Gives the deaths at each step. */
export async function dieAtEachMoment(
  t: TestContext,
  folder: string,
  play: Play,
): Promise<ReadonlyMap<string, StepDeaths>> {
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
  // Which moment comes first differs from life to life, and a sample has the same ones in every run.
  const inOrder = moments.toSorted((a, b) => (counted(a) < counted(b) ? -1 : 1));
  const planned = sampled(t, inOrder, { size: sampleSize, of: "deaths", shift: play.sampleShift });
  const steps = new Map<string, StepDeaths>();
  const count = ({ step }: Moment, what: keyof StepDeaths): void => {
    const deaths = steps.get(step) ?? { moments: 0, planned: 0, died: 0 };
    steps.set(step, { ...deaths, [what]: deaths[what] + 1 });
  };
  for (const moment of moments) count(moment, "moments");
  for (const moment of planned) count(moment, "planned");
  for (let first = 0; first < planned.length; first += atOnce) {
    const lives = planned
      .slice(first, first + atOnce)
      .map((moment, next) => live(1 + first + next, counted(moment)));
    await Promise.allSettled(lives); // a failure of one pulls nothing away under the others
    for (const { died } of await Promise.all(lives)) {
      if (died) count(died, "died");
    }
  }
  t.diagnostic(`${steps.values().reduce((all, { died }) => all + died, 0)} deaths`);
  return steps;
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
