import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Draft, EditOf } from "../../kernel/unit.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { present } from "../../platform/json.ts";
import {
  type TaskKind,
  type RunAttempt,
  type RunResult,
  endOf,
  withConsequences,
  type RunEnd,
  retryMsOf,
  type TaskEvent,
  type HandlerTask,
} from "../tasks/index.ts";
import { type EventKind, unhandled } from "./kind.ts";
import { messagesOf } from "./messages.ts";
import { makeQuestion } from "./question.ts";
import { invalidResult, resultOf, type Result } from "./result.ts";

type Task = Claimed<TaskKind>;
/** The end of an attempt of a handler's task. */
type HandlerEnd = RunEnd<HandlerFacts> & { task: HandlerTask };

/** What is read at the end of a handler's task. */
export interface HandlerFacts {
  /** Its event; undefined: there is no record of it, or it has ended. */
  readonly event: LedgerRecord<EventKind> | undefined;
  /** `msg-20260207-001`: ids for its messages; the store makes the ones that are missing. */
  readonly messageIds: readonly string[];
  /** The task that waits for its capacity. */
  readonly next?: string | undefined;
}

export function isOfHandler<T extends { readonly body: { event?: TaskEvent } }>(
  record: T,
): record is T & { body: { event: TaskEvent } } {
  return record.body.event !== undefined;
}

/** The outcome of an attempt by its result: it decides whether there is a retry. */
export function interpretResult({ ran, output }: RunAttempt, task: Task): RunResult {
  if (!hasResult(ran)) return ran;
  return runResultOf(resultOf(ran, output, task.id), ran, retryMsOf(task));
}

/** The verdict of a handler's task, with the end of its event, its messages and its question in one unit. */
export function finishHandled(
  verdict: Verdict<TaskKind>,
  end: RunEnd<HandlerFacts>,
): Verdict<TaskKind> {
  const { task, read } = end;
  const ended = isOfHandler(task) ? withResult(verdict, { ...end, task }) : verdict;
  return withNext(withEvent(task, ended, read), read);
}

function withResult(verdict: Verdict<TaskKind>, end: HandlerEnd): Verdict<TaskKind> {
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
  return withConsequences({ ...verdict, ends, outcome }, { append: messagesAt(end, result) });
}

/** An attempt that was stopped, or reports its end by callback, has no result yet. */
function hasResult(ran: RunResult): ran is Exclude<RunResult, { result: "stopped" | "later" }> {
  return ran.result !== "stopped" && ran.result !== "later";
}

/** The attempt of an external worker, by its result; null: it sent none. */
export function workerAttempt(
  record: Task,
  result: Result | { readonly wrong: string } | null,
): RunAttempt {
  const ran = workerRan(result);
  const output = { bytes: 0, isCut: false, isMarked: false, text: "" };
  return { ran, startedAt: record.lease.claimedAt, output };
}

function workerRan(result: Result | { readonly wrong: string } | null): RunResult {
  if (result === null) return { result: "failed", reason: "the worker went away without a result" };
  if ("status" in result) return { result: "completed", returned: result };
  // The work was done: a person corrects the program before it is done again.
  return { result: "failed", reason: invalidResult(result.wrong), retry: false };
}

/** The number of messages at its end. */
export function countMessages(record: Task, { ran, output }: RunAttempt): number {
  if (!isOfHandler(record) || !hasResult(ran)) return 0;
  const result = resultOf(ran, output, record.id);
  return messagesOf(record, result, { now: 0, reader: { language: "en" } }).length;
}

/** The outcome that a result stands for. */
function runResultOf(result: Result, ran: RunResult, pauseMs: number): RunResult {
  const { exit, usage } = ran as Pick<RunResult & { result: "completed" }, "exit" | "usage">;
  switch (result.status) {
    case "success":
    case "skipped":
    case "needs_human": {
      const consequences = ran.result === "completed" ? ran.consequences : undefined;
      const { summary: said } = result;
      const optional = present({ exit, usage, consequences });
      return { result: "completed", said, returned: result, ...optional };
    }
    case "failed":
    case "killed": {
      if (ran.result === "interrupted") return ran;
      const { retry, retryAfterMs = 0 } = ran.result === "failed" ? ran : {};
      const pause = { retryAfterMs: Math.max(retryAfterMs, pauseMs) };
      const optional = present({ retry, exit, usage });
      return { result: "failed", reason: result.error, ...pause, ...optional };
    }
  }
}

function messagesAt({ task, read, reader, now }: HandlerEnd, result: Result): readonly Draft[] {
  const messages = messagesOf(task, result, { now, reader }).map((draft, index) => ({
    ...draft,
    id: read.messageIds[index],
  }));
  if (result.status !== "needs_human") return messages;
  const { question: text, choices = [], session_id: sessionId = null } = result;
  return [makeQuestion(task, { text, choices, sessionId }, now), ...messages];
}

/** Every end of a task ends its event. */
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

/** The capacity is free at an end and at a retry: the next task that waits for it is due at once. */
function withNext(verdict: Verdict<TaskKind>, { next }: HandlerFacts): Verdict<TaskKind> {
  return next === undefined ? verdict : withConsequences(verdict, { wake: [{ id: next }] });
}

/** A task that is cancelled while it waits ends its event. */
export function endingEvent(verdict: Verdict<TaskKind>, record: Task): Verdict<TaskKind> {
  const { event, slot } = record.body;
  // A slot of a schedule handles no event, even if there is one of that name.
  if (!record.cancelling || event === undefined || slot !== undefined) return verdict;
  const edit = { kind: "event", id: event.id, ends: eventEnds.cancelled } as const;
  return { ...verdict, consequences: { edit: [edit] } };
}

/** The end of an event by the end of its task. */
export function endsEvent(
  { id, outcome }: Pick<LedgerRecord<EventKind>, "id" | "outcome">,
  end: End<TaskKind>,
  reason: string | null,
): EditOf<EventKind> {
  return {
    kind: "event",
    id,
    ends: eventEnds[end],
    outcome: { ...(outcome ?? unhandled), reason },
  };
}

export const eventEnds: Readonly<Record<End<TaskKind>, End<EventKind>>> = {
  completed: "completed",
  skipped: "completed",
  failed: "failed",
  interrupted: "failed",
  missed: "failed",
  cancelled: "cancelled",
};
