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
import { rate } from "./rate.ts";
import { taskEvent } from "./task-event.ts";

const retry = z.strictObject({
  /** The most attempts, the first included. */
  attempts: z.int().positive(),
  firstMs: z.number(),
  factor: z.number(),
  maxMs: z.number(),
});
/** How many attempts a task gets, and the backoff between them. */
export type Retry = z.output<typeof retry>;

/** When the output of a run is sent: always, only when the run marks it (`[NOTIFY]`), or never. */
export const notifyPolicy = z.enum(["always", "conditional", "never"]);
export type NotifyPolicy = z.output<typeof notifyPolicy>;

const slot = z.strictObject({
  schedule: z.string(),
  name: z.string(),
  /** When the schedule fires; for a run on request, when it was requested. */
  at: moment,
  because: z.enum(["cadence", "run now", "backfill"]),
  notify: notifyPolicy,
  /** After a crash during the run: true runs it again, false ends it interrupted. */
  rerun: z.boolean(),
  /** The limits of one run of an agent. */
  turnsMax: z.number().exactOptional(),
  costMax: z.number().exactOptional(),
});
/** The slot of a schedule that a task runs for. */
export type Slot = z.output<typeof slot>;

const answered = z.strictObject({ question: z.string(), answer: z.string() });
export type Answered = z.output<typeof answered>;

const holds = z
  .array(z.union([z.string(), z.strictObject({ oneOf: z.array(z.string()).readonly() })]))
  .readonly();

/** Anything that runs: a slot of a schedule, the work on an event, or a task requested by itself. */
export const taskKind = defineKind({
  name: "task",
  body: z.strictObject({
    /**
     * Its runner: `command`, `http`, `agent`, `ping`, `workspace` for a command in a workspace, or the name of a
     * function. Its queue is `task@{name}`.
     */
    name: z.string(),
    input: json,
    /** When it is due. */
    at: moment,
    /** Where its output is sent. */
    target,
    /** Where it, or its schedule, was requested. Records that the run creates inherit it. */
    origin: z.string().nullable(),
    timeoutMs: z.int().positive(),
    /** Absent: a failed attempt is not retried. */
    retry: retry.exactOptional(),
    /** The schedule as it was when it created this task. */
    slot: slot.exactOptional(),
    /** The event that it handles. */
    event: taskEvent.exactOptional(),
    /** The name of a workspace of its owner: the task waits until the workspace runs. */
    in: z.string().exactOptional(),
    /** Names that it must hold to run: it takes them when it starts, and waits until they are free. */
    turns: holds.exactOptional(),
    /** How often runs of its handler may start. */
    rate: rate.exactOptional(),
    /** Names that it holds from its creation to its end. */
    keeps: holds.exactOptional(),
    /** The questions of its earlier attempts, with the answers. */
    answers: z.array(answered).readonly().exactOptional(),
  }),
  outcome,
  states: {
    pending: ["needs_human", "completed", "failed", "skipped", "interrupted", "missed"],
    needs_human: ["pending", "failed"],
  },
  label: "run or task",
  hint: (id) => questionHint(id) ?? ": see daybook run list SCHEDULE, or daybook task list",
});
export interface TaskKind extends KindOf<typeof taskKind> {}

/** The timeout of a run that sets none. */
export const timeoutMsDefault = 10 * 60_000;

/** The name of the stream that stores the output of a run. */
export const outputStream = "output";

interface DraftOptions {
  key?: Key | undefined;
  holds?: readonly Hold[] | undefined;
  /** When it is first claimed. Default: its own time. */
  wakeAt?: number | undefined;
  /** The task is written as ended: it will not run. */
  ends?: { state: "skipped" | "missed"; reason: string; at: number } | undefined;
}

/** The draft of a task. Every task is made here. */
export function makeTask(body: TaskKind["body"], options: DraftOptions = {}): DraftOf<TaskKind> {
  checkTask(body);
  const { key, holds, wakeAt = body.at, ends } = options;
  const draft = { kind: "task", queue: taskQueue(body.name), key } as const;
  if (ends !== undefined) {
    const outcome = { ...emptyOutcome, finishedAt: ends.at, reason: ends.reason };
    return { ...draft, body, ends: ends.state, note: ends.reason, outcome };
  }
  if (holds === undefined) return { ...draft, body, state: "pending", wakeAt };
  // A task with turns replaces these names when its turn comes, so only others keep them.
  const stored = body.turns === undefined ? { ...body, keeps: holds } : body;
  return { ...draft, body: stored, state: "pending", wakeAt, holds };
}

export function taskQueue(name: string): string {
  return `task@${name}`;
}

/** The number of the current attempt, or of the last one: 1, 2, 3 … */
export function attemptOf({
  attempt,
  outcome,
}: Pick<LedgerRecord<TaskKind>, "attempt" | "outcome">): number {
  return (outcome?.earlier ?? 0) + attempt;
}

/** The next claim continues the same attempt: the record counts from 1 again, and `earlier` keeps the count so far. */
export function sameAttempt(record: LedgerRecord<TaskKind>, outcome: TaskOutcome): TaskOutcome {
  return { ...outcome, earlier: attemptOf(record) - 1 };
}

const nameShape = /^[A-Za-z][\w.:-]{0,99}$/;
const inputBytesMax = 128 * 1024;
const timeoutMsMax = 31 * 86_400_000;
const attemptsMax = 100;

export function checkTaskName(name: string): void {
  if (nameShape.test(name)) return;
  const advice = "start with a letter, then use letters, digits and . : _ -";
  throw new DaybookError("invalid", `${quote(name)} is not a task name: ${advice} (100 at most).`);
}

function checkTask({ name, input, target, timeoutMs, retry }: TaskKind["body"]): void {
  checkTaskName(name);
  parseTarget(target);
  const text = JSON.stringify(input) as string | undefined;
  if (text === undefined) throw new DaybookError("invalid", "The input must be plain JSON.");
  const bytes = Buffer.byteLength(text);
  if (bytes > inputBytesMax) {
    const sentence = `The input has ${bytes} bytes, over ${inputBytesMax}: store it elsewhere and pass a link.`;
    throw new DaybookError("too_large", sentence);
  }
  checkCount("timeoutMs", timeoutMs, timeoutMsMax);
  if (retry !== undefined) checkCount("retry.attempts", retry.attempts, attemptsMax);
}

function checkCount(field: string, count: number, max: number): void {
  if (Number.isSafeInteger(count) && count >= 1 && count <= max) return;
  throw new DaybookError(
    "invalid",
    `"${field}" must be a whole number from 1 to ${max}, not ${count}.`,
  );
}
