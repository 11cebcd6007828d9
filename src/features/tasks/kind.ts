import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { json, moment } from "../../kernel/schemas.ts";
import { parseTarget, target } from "../../kernel/target.ts";
import type { DraftOf, Hold, Key } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { questionHint } from "../notifications/index.ts";
import { outcome, type TaskOutcome, emptyOutcome } from "./outcome.ts";
import { taskEvent } from "./task-event.ts";

const retry = z.strictObject({
  /** How often it is attempted in all. */
  attempts: z.int().positive(),
  firstMs: z.number(),
  factor: z.number(),
  maxMs: z.number(),
});
/** How often an attempt that failed is made again, and after how long. */
export type Retry = z.output<typeof retry>;

/** Whether the output of a run is sent: always, when the run asks for it (`[NOTIFY]`), never. */
export const notifyPolicy = z.enum(["always", "conditional", "never"]);
export type NotifyPolicy = z.output<typeof notifyPolicy>;

const slot = z.strictObject({
  schedule: z.string(),
  name: z.string(),
  /** When it was to fire; for a run that was requested, when that was. */
  at: moment,
  because: z.enum(["cadence", "run now", "backfill"]),
  notify: notifyPolicy,
  /** After a crash in the middle: run again, or end interrupted. */
  rerun: z.boolean(),
  /** What a run may use, for agents. */
  turnsMax: z.number().exactOptional(),
  costMax: z.number().exactOptional(),
});
/** Which run of which schedule this is. */
export type Slot = z.output<typeof slot>;

const answered = z.strictObject({ question: z.string(), answer: z.string() });
export type Answered = z.output<typeof answered>;

const holds = z
  .array(z.union([z.string(), z.strictObject({ oneOf: z.array(z.string()).readonly() })]))
  .readonly();

/** Everything that runs: a slot of a schedule, the work on an event, or a task that was requested by itself. */
export const taskKind = defineKind({
  name: "task",
  body: z.strictObject({
    /**
     * Its runner: `command`, `http`, `agent`, `ping`, `workspace` for a command in a workspace, or the name of a
     * function. Its queue is `task@{name}`.
     */
    name: z.string(),
    input: json,
    /** When it is to run. */
    at: moment,
    /** Where its output is sent. */
    target,
    /** Where it, or its schedule, was requested. What it creates inherits it. */
    origin: z.string().nullable(),
    timeoutMs: z.int().positive(),
    /** Absent: an attempt that failed is not made again. */
    retry: retry.exactOptional(),
    /** The schedule as it was when this slot was decided. */
    slot: slot.exactOptional(),
    /** The event that it handles. */
    event: taskEvent.exactOptional(),
    /** The name of a workspace of its owner: it waits until that runs. */
    in: z.string().exactOptional(),
    /** Names it must hold to run, taken when it starts: it waits for its turn until they are free. */
    turns: holds.exactOptional(),
    /** Names it has had since it was written, and keeps until it ends. */
    keeps: holds.exactOptional(),
    /** What people answered so far to what it asked. */
    answers: z.array(answered).readonly().exactOptional(),
  }),
  outcome,
  states: {
    pending: ["needs_human", "completed", "failed", "skipped", "interrupted", "missed"],
    needs_human: ["pending", "failed"],
  },
  label: "run or task",
  hint: (id) => questionHint(id) ?? ": see daybook runs SCHEDULE, or daybook tasks",
});
export interface TaskKind extends KindOf<typeof taskKind> {}

/** What a run is given when nothing is said. */
export const timeoutMsDefault = 10 * 60_000;

/** The stream that a run's output is written to. */
export const outputStream = "output";

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
