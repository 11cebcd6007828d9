import { appendFileSync, readFileSync } from "node:fs";
import { systemClock } from "../../base/clock.ts";
import { bus } from "../../base/events.ts";
import { seededRandom } from "../../base/random.ts";
import { group, type Service } from "../../base/service.ts";
import type { Channel } from "../../channels/channel.ts";
import { deliverer } from "../../controllers/deliverer.ts";
import { runController, type RuntimePorts } from "../../controllers/runtime.ts";
import { scheduler } from "../../controllers/scheduler.ts";
import { tasks } from "../../controllers/tasks.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { plainProfile, type Profile } from "../../ledger/profiles.ts";
import { makeSchedule, type ScheduleKind } from "../../rules/again/schedule.ts";
import type { Events } from "../../rules/events.ts";
import type { Runner } from "../../runners/runner.ts";
import { startedAt, watched, type Arrival, type AtMoment } from "./node.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Short beside the time between two slots: what a dead node had is free before the next one comes. */
export const leaseMs = minuteMs;

/** When each schedule runs, so that no two meet and the moments come in the same order each time. */
export const slotsOf: Readonly<Record<string, readonly number[]>> = {
  works: [startedAt + 10 * minuteMs, startedAt + 10 * minuteMs + hourMs],
  fails: [startedAt + 30 * minuteMs, startedAt + 30 * minuteMs + hourMs],
  "is made again": [startedAt + 50 * minuteMs],
};

/** One that works, one that is disabled when it has failed twice, and a one-shot that may run again. */
export async function fillSchedules(ledger: Ledger): Promise<void> {
  const make = (name: string, more: Partial<ScheduleKind["body"]>): Promise<unknown> => {
    const body = { ...plain, name, run: { task: "file", input: name }, ...more };
    const draft = makeSchedule(body, { owner: "bob", now: startedAt, limit: 50 });
    return ledger.of("bob", "bob").append(draft);
  };
  const hourly = (name: string, count: number): Pick<ScheduleKind["body"], "cadence"> => {
    const start = slotsOf[name]?.[0] ?? NaN;
    const rule = `FREQ=HOURLY;COUNT=${count}`;
    return { cadence: { type: "rrule", rule, start, zone: "UTC" } };
  };
  await make("works", hourly("works", 2));
  // The third never comes.
  const strict = { notifyAfterFailures: 1, disableAfterFailures: 2 };
  await make("fails", { ...hourly("fails", 3), ...strict });
  const at = slotsOf["is made again"]?.[0] ?? NaN;
  await make("is made again", { cadence: { type: "once", at }, rerun: true, overlap: "queue" });
}

const plain: Omit<ScheduleKind["body"], "name" | "run"> = {
  cadence: { type: "once", at: startedAt },
  whenText: "every hour",
  notify: "always",
  target: "file:me",
  origin: "file:me",
  misfire: "latest",
  overlap: "skip",
  rerun: false,
  timeoutMs: hourMs,
  notifyAfterFailures: 3,
  disableAfterFailures: 5,
};

/** A node that decides slots, runs them and says what they said, one after another. */
export function runsNode(ledger: Ledger, notes: string, at: AtMoment): Service {
  const clock = systemClock();
  const events = bus<Events>();
  const profile = (): Promise<Profile> => Promise.resolve(plainProfile);
  const ports: RuntimePorts = { work: ledger.work, clock, random: seededRandom(1), events };
  const seen = (what: string): RuntimePorts => {
    return { ...ports, work: watched(ledger.work, (moment) => at(`${what}: ${moment}`)) };
  };
  const one = { concurrency: 1, laneShare: 1, leaseMs, pollMs: 5 };
  const options = { holder: `node-${process.pid}`, ...one };
  const says = deliverer({ channels: [toFile(notes, at)], clock, ledger, profile });
  return group([
    runController(scheduler({ ledger, profile }), seen("schedule"), options),
    runController(tasks(runs(notes, at), { ledger, clock, profile }), seen("task"), options),
    runController(says, ports, options), // its own steps have a play of their own
  ]);
}

/** What a run of this schedule says, at this slot. */
export function wordsOf(name: string, slot: number): string {
  return `${name}, ${new Date(slot).toISOString()}\n`;
}

function runs(notes: string, at: AtMoment): Runner {
  return {
    name: "file",
    async run({ id, input, slot }, desk) {
      at("before a run");
      const name = typeof input === "string" ? input : "";
      appendFileSync(notes, `${JSON.stringify({ run: id })}\n`);
      desk.write(wordsOf(name, slot?.at ?? NaN));
      at("ran");
      return name === "fails"
        ? { result: "failed", reason: "as it was told" }
        : { result: "completed" };
    },
  };
}

function toFile(notes: string, at: AtMoment): Channel {
  return {
    name: "file",
    async send({ id, text, maybeRepeat }) {
      const arrival: Arrival = { id, part: 1, text, maybeRepeat };
      appendFileSync(notes, `${JSON.stringify(arrival)}\n`);
      at("sent");
      return { result: "delivered", receipt: 1 };
    },
  };
}

/** What was written down by those who ran and heard. */
export interface Notes {
  /** By the id of its task, each time it ran. */
  readonly runs: readonly string[];
  readonly arrivals: readonly Arrival[];
}

export function notesIn(path: string): Notes {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const all = lines.map((line) => JSON.parse(line) as Arrival | { run: string });
  return {
    runs: all.flatMap((note) => ("run" in note ? [note.run] : [])),
    arrivals: all.flatMap((note) => ("run" in note ? [] : [note])),
  };
}
