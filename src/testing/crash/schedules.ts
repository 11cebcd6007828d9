import { appendFileSync, readFileSync } from "node:fs";
import { scheduler } from "../../features/schedules/controller.ts";
import { makeSchedule } from "../../features/schedules/draft.ts";
import { type ScheduleKind } from "../../features/schedules/kind.ts";
import { taskController } from "../../features/tasks/controller.ts";
import type { Runner } from "../../features/tasks/runner.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { group, type Service } from "../../platform/service.ts";
import { runHooks } from "../run-hooks.ts";
import { startedAt, type Arrival, type OnStep } from "./node.ts";
import { nodeParts } from "./node.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The slots of each schedule: no two are due at once, so that the steps have the same order each time. */
export const slotsOf: Readonly<Record<string, readonly number[]>> = {
  works: [startedAt + 10 * minuteMs, startedAt + 10 * minuteMs + hourMs],
  fails: [startedAt + 30 * minuteMs, startedAt + 30 * minuteMs + hourMs],
  "is made again": [startedAt + 50 * minuteMs],
};

/** One that works, one that is disabled after two failures, and a one-shot that may run again. */
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
  // Disabled before its third slot.
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

/** A node that decides slots, runs them and sends their output, one after another. */
export function scheduleNode(ledger: Ledger, logPath: string, onStep: OnStep): Service {
  const { parts, delivery, run } = nodeParts(ledger, logPath, onStep);
  return group([
    run(scheduler(parts), "schedule"),
    run(taskController(runs(logPath, onStep), { ...parts, hooks: runHooks({ ledger }) }), "task"),
    run(delivery), // notifications have a crash test of their own
  ]);
}

/** The output of a schedule's run at a slot. */
export function outputOf(name: string, slot: number): string {
  return `${name}, ${new Date(slot).toISOString()}\n`;
}

function runs(logPath: string, onStep: OnStep): Runner {
  return {
    name: "file",
    async run({ id, input, slot }, context) {
      onStep("before a run");
      const name = typeof input === "string" ? input : "";
      appendFileSync(logPath, `${JSON.stringify({ run: id })}\n`);
      context.write(outputOf(name, slot?.at ?? NaN));
      onStep("ran");
      return name === "fails"
        ? { result: "failed", reason: "planned failure" }
        : { result: "completed" };
    },
  };
}

/** The runs and sends that the node has logged. */
export interface EffectLog {
  /** The task ids, one for each time that the task ran. */
  readonly runs: readonly string[];
  readonly arrivals: readonly Arrival[];
}

export function readLog(path: string): EffectLog {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as Arrival | { run: string });
  return {
    runs: entries.flatMap((entry) => ("run" in entry ? [entry.run] : [])),
    arrivals: entries.flatMap((entry) => ("run" in entry ? [] : [entry])),
  };
}
