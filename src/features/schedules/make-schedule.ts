import type { DraftOf } from "../../kernel/unit.ts";
import { atPath } from "../../platform/at-path.ts";
import { DaybookError } from "../../platform/errors.ts";
import { checkCadence } from "../../time/cadence.ts";
import { span } from "../../time/times.ts";
import { workspaceOf, type RunSpec } from "../tasks/index.ts";
import { nameHold, scheduleSlot } from "./holds.ts";
import type { ScheduleKind, Budget } from "./kind.ts";
import { nextFire } from "./next-fire.ts";
import { slotTask } from "./slot.ts";

type Body = ScheduleKind["body"];

/** Between two runs, unless a setting says otherwise. */
export const minGapMsDefault = 60_000;

export interface MakeFacts {
  owner: string;
  now: number;
  /** The most schedules an owner may have at once. */
  limit: number;
  minGapMs?: number;
}

/** Every schedule is made here, whoever asks for it. */
export function makeSchedule(body: Body, facts: MakeFacts): DraftOf<ScheduleKind> {
  const { owner, now, limit, minGapMs = minGapMsDefault } = facts;
  checkSchedule(body);
  atPath("cadence", () => checkCadence(body.cadence, now, minGapMs));
  const { nextRunAt, wakeAt } = nextFire("active", body.cadence, { cursor: now });
  return {
    kind: "schedule",
    body,
    state: "active",
    outcome: {
      cursor: now,
      nextRunAt,
      lastRunAt: null,
      lastRunState: null,
      consecutiveFailures: 0,
      isNotified: false,
      reason: null,
    },
    holds: [scheduleSlot(owner, limit), nameHold(owner, body.name)],
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

const nameCharsMax = 100;
const whenCharsMax = 500;
const goalCharsMax = 20_000;
const runBytesMax = 64 * 1024;
const timeoutMsMax = 7 * 24 * 60 * 60_000;
const failuresMax = 1_000;

/** What can be said of a schedule without looking at the time. */
export function checkSchedule(body: ScheduleKind["body"]): void {
  atPath("name", () => checkName(body.name));
  if (body.whenText.length > whenCharsMax) throw tooLong("The time", whenCharsMax);
  atPath("run", () => checkRun(body.run));
  if ("ping" in body.run) checkPing(body.run);
  atPath("timeout", () => checkLength("timeout", body.timeoutMs, 1));
  checkRange("notifyAfterFailures", body.notifyAfterFailures, [0, failuresMax]);
  checkRange("disableAfterFailures", body.disableAfterFailures, [0, failuresMax]);
  if (body.budget !== undefined) checkBudget(body.budget);
  slotTask({ id: "new", body }, { at: 0, because: "cadence" }); // what cannot be a task is refused now
}

function checkName(name: string): void {
  checkWords("name", name, nameCharsMax);
  if (/\p{Cc}/u.test(name)) throw invalid("The name has a line break in it: put it on one line.");
}

function checkRun(run: RunSpec): void {
  const place = workspaceOf(run);
  if (place !== undefined) atPath("in", () => checkWords("workspace", place, nameCharsMax));
  if ("command" in run) atPath("command", () => checkCommand(run.command));
  if ("task" in run) atPath("task", () => checkWords("task", run.task, nameCharsMax));
  if ("agent" in run) atPath("agent", () => checkWords("goal", run.agent, goalCharsMax));
  if ("http" in run) atPath("http", () => checkUrl(run.http));
  const bytes = Buffer.byteLength(JSON.stringify(run));
  if (bytes > runBytesMax) {
    const sentence = `What it runs weighs ${bytes} bytes, over ${runBytesMax}: put it in a file and name that.`;
    throw new DaybookError("too_large", sentence);
  }
}

/** Asked for by itself, and not as something that runs. */
function checkPing({ ping, graceMs }: Extract<RunSpec, { ping: string }>): void {
  checkWords("ping", ping, nameCharsMax);
  atPath("grace", () => checkLength("grace", graceMs, 0));
}

function checkCommand(command: readonly string[]): void {
  if ((command[0] ?? "").trim() === "") throw invalid("The command is empty: say what to run.");
  if (command.some((word) => word.includes("\0"))) throw invalid("The command has a NUL in it.");
}

function checkUrl(text: string): void {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === "https:" || protocol === "http:") return;
  throw invalid("The address to call is none: begin it with https:// or http://.");
}

function checkBudget(budget: Budget): void {
  for (const [name, value] of Object.entries(budget)) {
    const whole = name === "runsPerDay" || name === "turnsPerRun";
    const good = typeof value === "number" && value > 0 && (!whole || Number.isSafeInteger(value));
    if (!good || value === Infinity) {
      throw invalid(`"${name}" must be a ${whole ? "whole " : ""}number over 0; got ${value}.`);
    }
  }
}

function checkWords(what: string, words: string, charsMax: number): void {
  if (words.trim() === "") throw invalid(`The ${what} is empty: say one.`);
  if (words !== words.trim()) throw invalid(`The ${what} has spaces around it: leave them out.`);
  if (!words.isWellFormed() || words.includes("\0")) {
    throw invalid(`The ${what} has characters that are none: write it anew.`);
  }
  if (Array.from(words).length > charsMax) throw tooLong(`The ${what}`, charsMax);
}

function checkLength(what: string, ms: number, min: number): void {
  if (Number.isSafeInteger(ms) && ms >= min && ms <= timeoutMsMax) return;
  const bound =
    ms > timeoutMsMax ? `at most ${span(timeoutMsMax)}` : min > 0 ? "over 0" : "0 or more";
  throw invalid(`"${what}" must be ${bound}; got ${ms < 0 ? `${ms} ms` : span(ms)}.`);
}

function checkRange(what: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw invalid(`"${what}" must be a whole number from ${min} to ${max}; got ${value}.`);
}

function invalid(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}

function tooLong(what: string, charsMax: number): DaybookError {
  return new DaybookError("too_large", `${what} is over ${charsMax} characters: shorten it.`);
}
