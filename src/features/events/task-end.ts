import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Draft, EditOf } from "../../kernel/unit.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import {
  type TaskKind,
  type RunAttempt,
  type RunResult,
  endOf,
  withConsequences,
  type RunEnd,
  retryMs,
  type TaskEvent,
  type HandlerTask,
} from "../tasks/index.ts";
import type { EventKind } from "./kind.ts";
import { messagesOf } from "./messages.ts";
import { makeQuestion } from "./question.ts";
import { resultOf, type Result } from "./result.ts";

type Task = Claimed<TaskKind>;
type OfHandler = Task & { body: { event: TaskEvent } };

/** What is true around a task of a handler at its end. */
export interface HandlerFacts {
  /** What it handles; undefined: that is no record, or has ended. */
  readonly event: LedgerRecord<EventKind> | undefined;
  /** `msg-20260207-001`: names for what is said; when there are too few, the store makes them. */
  readonly messageIds: readonly string[];
  /** Who waits for the place that it gives away. */
  readonly next?: string | undefined;
}

export function isOfHandler<T extends { readonly body: { event?: TaskEvent } }>(
  record: T,
): record is T & { body: { event: TaskEvent } } {
  return record.body.event !== undefined;
}

/** What an attempt comes to by the result that it says: that decides whether it is made again. */
export function interpretResult({ ran, output }: RunAttempt, { id }: Task): RunResult {
  return hasResult(ran) ? ranAs(resultOf(ran, output, id), ran) : ran;
}

/** The verdict of a task of a handler: its event, what is said and what is asked are one unit with it. */
export function finishHandled(
  verdict: Verdict<TaskKind>,
  end: RunEnd<HandlerFacts>,
): Verdict<TaskKind> {
  const { task, read } = end;
  const ended = isOfHandler(task) ? withResult(verdict, { ...end, task }) : verdict;
  return withNext(withEvent(task, ended, read), read);
}

function withResult(
  verdict: Verdict<TaskKind>,
  end: RunEnd<HandlerFacts> & { task: OfHandler },
): Verdict<TaskKind> {
  const { ran, output } = end.attempt;
  if (!hasResult(ran) || !("ends" in verdict)) return verdict;
  const result = resultOf(ran, output, end.task.id);
  const ends = result.status === "skipped" ? "skipped" : verdict.ends;
  const reason = result.status === "skipped" ? result.reason : verdict.outcome?.reason;
  const outcome = verdict.outcome && {
    ...verdict.outcome,
    result,
    reason: reason ?? null,
    summary: verdict.outcome.summary ?? (result.summary || null),
  };
  const ended = { ...verdict, ends, ...(outcome === undefined ? {} : { outcome }) };
  return withConsequences(ended, { append: messagesAt(end, result) });
}

/** One that was stopped, or is told of later, says nothing yet. */
function hasResult(ran: RunResult): ran is Exclude<RunResult, { result: "stopped" | "later" }> {
  return ran.result !== "stopped" && ran.result !== "later";
}

/** The attempt of a worker outside: what it says, as `readResult` reads it; null: it went away without a word. */
export function workerAttempt(record: Task, said: Result | null): RunAttempt {
  const ran: RunResult =
    said === null
      ? { result: "failed", reason: "the worker went away without a result" }
      : { result: "completed", returned: said };
  const output = { bytes: 0, isCut: false, isMarked: false, text: "" };
  return { ran, startedAt: record.lease.claimedAt, output };
}

/** How many messages its end says. */
export function countMessages(record: Task, { ran, output }: RunAttempt): number {
  if (!isOfHandler(record) || !hasResult(ran)) return 0;
  const result = resultOf(ran, output, record.id);
  return messagesOf(record, result, { now: 0, reader: { language: "en" } }).length;
}

/** The result as what the run itself would have come to. */
function ranAs(result: Result, ran: RunResult): RunResult {
  const { exit, usage } = ran as { exit?: number; usage?: RunResultUsage };
  const seen = {
    ...(exit === undefined ? {} : { exit }),
    ...(usage === undefined ? {} : { usage }),
  };
  switch (result.status) {
    case "success":
    case "skipped":
    case "needs_human": {
      const consequences = ran.result === "completed" ? ran.consequences : undefined;
      const made = consequences === undefined ? {} : { consequences };
      return { result: "completed", said: result.summary, returned: result, ...seen, ...made };
    }
    case "failed":
    case "killed": {
      if (ran.result === "interrupted") return ran;
      const { retry, retryAfterMs = 0 } = ran.result === "failed" ? ran : {};
      const afterMs = { retryAfterMs: Math.max(retryAfterMs, retryMs) };
      const hopeless = retry === undefined ? {} : { retry };
      return { result: "failed", reason: result.error, ...afterMs, ...hopeless, ...seen };
    }
  }
}

type RunResultUsage = NonNullable<Extract<RunResult, { result: "completed" }>["usage"]>;

function messagesAt(
  { task: record, read, reader, now }: RunEnd<HandlerFacts> & { task: OfHandler },
  result: Result,
): readonly Draft[] {
  const task: HandlerTask = record;
  const { messageIds: ids } = read;
  const messages = messagesOf(task, result, { now, reader }).map((draft, index) => {
    const id = ids[index];
    return id === undefined ? draft : { ...draft, id };
  });
  if (result.status !== "needs_human") return messages;
  const { question: text, choices = [], session_id: sessionId = null } = result;
  return [makeQuestion(task, { text, choices, sessionId }, now), ...messages];
}

/** The event ends with its task, however that ends. */
function withEvent(
  record: Task,
  verdict: Verdict<TaskKind>,
  { event }: HandlerFacts,
): Verdict<TaskKind> {
  const end = endOf(record, verdict);
  if (end === undefined || event === undefined) return verdict;
  return withConsequences(verdict, {
    edit: [endsEvent(event, end, verdict.outcome?.reason ?? null)],
  });
}

/** Its capacity is free, whether it ends or is tried again: the task that waits for it has it at once. */
function withNext(verdict: Verdict<TaskKind>, { next }: HandlerFacts): Verdict<TaskKind> {
  return next === undefined ? verdict : withConsequences(verdict, { wake: [{ id: next }] });
}

/** What is cancelled while it waits does not go on: its event ends with it, unless that has ended already. */
export function endingEvent(verdict: Verdict<TaskKind>, record: Task): Verdict<TaskKind> {
  const { event, slot } = record.body;
  // A slot of a schedule handles no event, whatever there is of that name.
  if (!record.cancelling || event === undefined || slot !== undefined) return verdict;
  const edit = { kind: "event", id: event.id, ends: eventEnds.cancelled } as const;
  return { ...verdict, consequences: { edit: [edit] } };
}

/** What becomes of an event when its task has come to this end. */
export function endsEvent(
  { id, outcome }: Pick<LedgerRecord<EventKind>, "id" | "outcome">,
  end: End<TaskKind>,
  reason: string | null,
): EditOf<EventKind> {
  const before = outcome ?? { handler: null, task: null, reason: null };
  return { kind: "event", id, ends: eventEnds[end], outcome: { ...before, reason } };
}

export const eventEnds: Readonly<Record<End<TaskKind>, End<EventKind>>> = {
  completed: "completed",
  skipped: "completed",
  failed: "failed",
  interrupted: "failed",
  missed: "failed",
  cancelled: "cancelled",
};
