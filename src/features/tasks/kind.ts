import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf, Hold, Key } from "../../kernel/unit.ts";
import type { Backoff } from "../../platform/backoff.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";
import { questionHint } from "../notifications/kind.ts";
import type { RunAttempt } from "./result.ts";
import type { TaskEvent } from "./task-event.ts";

/** Everything that runs: a slot of a schedule, or a task that was asked for by itself. */
export interface TaskKind {
  name: "task";
  body: {
    /**
     * Who runs it: `command`, `http`, `agent`, `ping`, `workspace` for a command in a workspace, or the name of a
     * function. Its queue is `task@{name}`.
     */
    name: string;
    input: Json;
    /** When it is to run: UTC epoch milliseconds. */
    at: number;
    /** Where what it says goes. */
    target: string;
    /** Where it, or its schedule, was asked for. What it creates inherits it. */
    origin: string | null;
    timeoutMs: number;
    /** How often an attempt that failed is made again; absent: never. */
    retry?: Retry;
    /** The schedule as it was when this slot was decided. */
    slot?: Slot;
    /** The event that it handles. */
    event?: TaskEvent;
    /** The name of a workspace of its owner: it waits until that runs. */
    in?: string;
    /** Names it must hold to run, taken when it starts: it waits for its turn until they are free. */
    turns?: readonly Hold[];
    /** Names it has had since it was written, and keeps until it ends. */
    keeps?: readonly Hold[];
    /** What people answered so far to what it asked. */
    answers?: readonly Answered[];
  };
  outcome: TaskOutcome;
  live: "pending" | "needs_human";
  end: "completed" | "failed" | "skipped" | "interrupted" | "missed" | "cancelled";
}

export const taskKind: Kind<TaskKind> = defineKind({
  name: "task",
  states: {
    pending: ["needs_human", "completed", "failed", "skipped", "interrupted", "missed"],
    needs_human: ["pending", "failed"],
  },
  label: "run or task",
  hint: (id) => questionHint(id) ?? ": see daybook runs SCHEDULE, or daybook tasks",
});

/** An attempt that failed is made again this often in all. */
export interface Retry extends Backoff {
  attempts: number;
}

/** Whether what a run says is told: always, when the run says so itself (`[NOTIFY]`), never. */
export type NotifyPolicy = "always" | "conditional" | "never";

/** Which run of which schedule this is. */
export interface Slot {
  schedule: string;
  name: string;
  /** When it was to fire; for a run that was asked for, when that was. */
  at: number;
  because: "cadence" | "run now" | "backfill";
  notify: NotifyPolicy;
  /** After a crash in the middle: run again, or end interrupted. */
  rerun: boolean;
  /** What a run may use, for agents. */
  turnsMax?: number;
  costMax?: number;
}

export interface Answered {
  question: string;
  answer: string;
}

/** What was seen of a run. */
export interface TaskOutcome {
  startedAt: number | null;
  finishedAt: number | null;
  /** Why it ended as it did, when it did not complete; `overlap`, `budget`, `paused` for a skipped one. */
  reason: string | null;
  exit: number | null;
  /** The beginning of what it said, at most 500 characters. */
  summary: string | null;
  /** The whole of what it said is the stream `output`: so many bytes, cut off when it was too much. */
  outputBytes: number;
  outputCut: boolean;
  turns: number | null;
  cost: number | null;
  /** How far it is, in its own words. */
  progress: string | null;
  /** What it asked and waits for. */
  question: { text: string; choices: readonly string[] } | null;
  /** Until then an answer is waited for; absent: for ever. */
  askedUntil?: number;
  /** What a function returned. */
  result: Json;
  /** An answer that comes later by itself: the HTTP runner's callback. */
  callback?: Json;
  /** The callback is waited for until then. */
  awaitsUntil?: number;
  /** It has the names that it must hold to run. */
  hasTurn?: boolean;
  /** It waits for a place: whoever gives one away wakes the next. */
  isInLine?: true;
  /** It ran, and what follows from its end is not written yet. */
  ended?: RunAttempt;
  /** Attempts before the record's own count of them began anew. */
  earlier?: number;
}

/** What a run is given when nothing is said. */
export const timeoutMsDefault = 10 * 60_000;

/** The stream that a run's output is written to. */
export const outputStream = "output";

/** Nothing was seen yet. */
export const emptyOutcome: TaskOutcome = {
  startedAt: null,
  finishedAt: null,
  reason: null,
  exit: null,
  summary: null,
  outputBytes: 0,
  outputCut: false,
  turns: null,
  cost: null,
  progress: null,
  question: null,
  result: null,
};

interface PlacedTask {
  key?: Key | undefined;
  holds?: readonly Hold[] | undefined;
  /** When it is looked at first; its own time when absent. */
  wakeAt?: number | undefined;
  /** It will not run, and that is known already. */
  ends?: { state: "skipped" | "missed"; reason: string; at: number } | undefined;
}

/** Every task is made here, whoever asks for it. */
export function makeTask(body: TaskKind["body"], placed: PlacedTask = {}): DraftOf<TaskKind> {
  checkTask(body);
  const { key, holds, wakeAt = body.at, ends } = placed;
  const draft = {
    kind: "task",
    queue: taskQueue(body.name),
    ...(key === undefined ? {} : { key }),
  } as const;
  if (ends !== undefined) {
    const outcome = { ...emptyOutcome, finishedAt: ends.at, reason: ends.reason };
    return { ...draft, body, ends: ends.state, note: ends.reason, outcome };
  }
  if (holds === undefined) return { ...draft, body, state: "pending", wakeAt };
  // What waits for its turn swaps its names for those when the turn comes.
  const keeps = body.turns === undefined ? { keeps: holds } : {};
  return { ...draft, body: { ...body, ...keeps }, state: "pending", wakeAt, holds };
}

export function taskQueue(name: string): string {
  return `task@${name}`;
}

/** 1, 2, 3 …: which attempt the record is in, or was in last. */
export function attemptOf({ attempt, outcome }: LedgerRecord<TaskKind>): number {
  return (outcome?.earlier ?? 0) + attempt;
}

/** What follows is the same attempt: the record counts anew, and what was before is kept apart. */
export function sameAttempt(record: LedgerRecord<TaskKind>, outcome: TaskOutcome): TaskOutcome {
  return { ...outcome, earlier: attemptOf(record) - 1 };
}

const nameShape = /^[A-Za-z][\w.:-]{0,99}$/;
const inputBytesMax = 128 * 1024;
const timeoutMsMax = 31 * 86_400_000;
const attemptsMax = 100;

export function checkTaskName(name: string): void {
  if (nameShape.test(name)) return;
  const advice = "begin with a letter, go on with letters, digits and . : _ -";
  throw new DaybookError("invalid", `${quote(name)} is no name of a task: ${advice}`);
}

function checkTask({ name, input, target, timeoutMs, retry }: TaskKind["body"]): void {
  checkTaskName(name);
  parseTarget(target);
  const text = JSON.stringify(input) as string | undefined;
  if (text === undefined) throw new DaybookError("invalid", "The input must be plain JSON.");
  if (Buffer.byteLength(text) > inputBytesMax) {
    throw new DaybookError(
      "too_large",
      `The input is over ${inputBytesMax} bytes: keep it elsewhere and give a link.`,
    );
  }
  checkCount("timeoutMs", timeoutMs, timeoutMsMax);
  if (retry !== undefined) checkCount("retry.attempts", retry.attempts, attemptsMax);
}

function checkCount(what: string, count: number, max: number): void {
  if (Number.isSafeInteger(count) && count >= 1 && count <= max) return;
  throw new DaybookError("invalid", `"${what}" must be a whole number from 1 to ${max}.`);
}
