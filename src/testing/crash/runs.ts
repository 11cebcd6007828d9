import { appendFileSync, readFileSync } from "node:fs";
import { scheduler } from "../../features/schedules/controller.ts";
import { type ScheduleKind } from "../../features/schedules/kind.ts";
import { makeSchedule } from "../../features/schedules/make-schedule.ts";
import { taskController } from "../../features/tasks/controller.ts";
import type { Runner } from "../../features/tasks/runner.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { group, type Service } from "../../platform/service.ts";
import { runHooks } from "../run-hooks.ts";
import { startedAt, type Arrival, type AtMoment } from "./node.ts";
import { playing } from "./playing.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

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
  const { parts, says, run } = playing(ledger, notes, at);
  return group([
    run(scheduler(parts), "schedule"),
    run(taskController(runs(notes, at), { ...parts, hooks: runHooks({ ledger }) }), "task"),
    run(says), // its own steps have a play of their own
  ]);
}

/** What a run of this schedule says, at this slot. */
export function wordsOf(name: string, slot: number): string {
  return `${name}, ${new Date(slot).toISOString()}\n`;
}

function runs(notes: string, at: AtMoment): Runner {
  return {
    name: "file",
    async run({ id, input, slot }, fixture) {
      at("before a run");
      const name = typeof input === "string" ? input : "";
      appendFileSync(notes, `${JSON.stringify({ run: id })}\n`);
      fixture.write(wordsOf(name, slot?.at ?? NaN));
      at("ran");
      return name === "fails"
        ? { result: "failed", reason: "as it was told" }
        : { result: "completed" };
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
