import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { readInput } from "../../platform/input-path.ts";
import { cut, quote } from "../../platform/text.ts";
import { checkCadence } from "../../time/cadence.ts";
import { span } from "../../time/times.ts";
import { workspaceOf, type RunSpec } from "../tasks/index.ts";
import { nameHold, scheduleSlot } from "./holds.ts";
import type { ScheduleKind, Budget } from "./kind.ts";
import { madeHolds } from "./made-by-run.ts";
import { nextFire } from "./next-fire.ts";
import { slotTask } from "./slot.ts";

type Body = ScheduleKind["body"];

/** The smallest gap between two runs, unless the settings have another. */
export const minGapMsDefault = 60_000;

export interface MakeFacts {
  owner: string;
  now: number;
  /** How many schedules an owner may have. */
  limit: number;
  minGapMs?: number;
}

/** The only way to create a schedule. */
export function makeSchedule(body: Body, facts: MakeFacts): DraftOf<ScheduleKind> {
  const { owner, now, limit, minGapMs = minGapMsDefault } = facts;
  checkSchedule(body);
  readInput("cadence", () => checkCadence(body.cadence, now, minGapMs));
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
    // The schedule of the same prompt is found before its name or a limit refuses it.
    holds: [...madeHolds(owner, body), scheduleSlot(owner, limit), nameHold(owner, body.name)],
    parent: body.madeBy?.run,
    wakeAt: wakeAt ?? undefined,
  };
}

const nameCharsMax = 100;
const whenCharsMax = 500;
const goalCharsMax = 20_000;
const runBytesMax = 64 * 1024;
const timeoutMsMax = 7 * 24 * 60 * 60_000;
const failuresMax = 1_000;

/** The checks that do not depend on the current time. */
export function checkSchedule(body: ScheduleKind["body"]): void {
  readInput("name", () => checkName(body.name));
  if (body.whenText.length > whenCharsMax) throw tooLong("time", whenCharsMax);
  readInput("run", () => checkRun(body.run));
  if ("ping" in body.run) checkPing(body.run);
  readInput("timeout", () => checkLength("timeout", body.timeoutMs, 1));
  checkRange("notifyAfterFailures", body.notifyAfterFailures, [0, failuresMax]);
  checkRange("disableAfterFailures", body.disableAfterFailures, [0, failuresMax]);
  if (body.budget !== undefined) checkBudget(body.budget);
  slotTask({ id: "new", body }, { at: 0, because: "cadence" }); // refuses a run that cannot be a task
}

function checkName(name: string): void {
  checkText("name", name, nameCharsMax);
  if (/\p{Cc}/u.test(name))
    throw invalid("The name has a line break or control character: use one line of text.");
}

function checkRun(run: RunSpec): void {
  const workspace = workspaceOf(run);
  if (workspace !== undefined)
    readInput("in", () => checkText("workspace", workspace, nameCharsMax));
  if ("command" in run) readInput("command", () => checkCommand(run.command));
  if ("task" in run) readInput("task", () => checkText("task", run.task, nameCharsMax));
  if ("agent" in run) readInput("agent", () => checkText("goal", run.agent, goalCharsMax));
  if ("http" in run) readInput("http", () => checkUrl(run.http));
  const bytes = Buffer.byteLength(JSON.stringify(run));
  if (bytes > runBytesMax) {
    const sentence = `The run has ${bytes} bytes, over the limit of ${runBytesMax}: put its input in a file and pass the file's name.`;
    throw new DaybookError("too_large", sentence);
  }
}

function checkPing({ ping, graceMs }: Extract<RunSpec, { ping: string }>): void {
  checkText("ping", ping, nameCharsMax);
  readInput("grace", () => checkLength("grace", graceMs, 0));
}

function checkCommand(command: readonly string[]): void {
  if ((command[0] ?? "").trim() === "")
    throw invalid("The command is empty: give a program to run.");
  if (command.some((word) => word.includes("\0")))
    throw invalid("The command has a NUL character: remove it.");
}

function checkUrl(url: string): void {
  const protocol = URL.parse(url)?.protocol;
  if (protocol === "https:" || protocol === "http:") return;
  throw invalid(`${quote(cut(url, 100))} is not a URL to call: start it with https:// or http://.`);
}

function checkBudget(budget: Budget): void {
  for (const [name, value] of Object.entries(budget)) {
    const isWhole = name === "runsPerDay" || name === "turnsPerRun";
    const isValid =
      typeof value === "number" && value > 0 && (!isWhole || Number.isSafeInteger(value));
    if (!isValid || value === Infinity) {
      throw invalid(`"${name}" must be a ${isWhole ? "whole " : ""}number over 0; got ${value}.`);
    }
  }
}

function checkText(what: string, text: string, charsMax: number): void {
  if (text.trim() === "") throw invalid(`The ${what} is empty: give one.`);
  if (text !== text.trim()) throw invalid(`The ${what} has spaces around it: remove them.`);
  if (!text.isWellFormed() || text.includes("\0")) {
    throw invalid(`The ${what} has invalid characters: type it again.`);
  }
  if (Array.from(text).length > charsMax) throw tooLong(what, charsMax);
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
  return new DaybookError(
    "too_large",
    `The ${what} is over the limit of ${charsMax} characters: shorten it.`,
  );
}
