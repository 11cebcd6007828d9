import type { Claimed } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { cut, harmless } from "../../platform/text.ts";
import type { NoticeReader } from "../notifications/index.ts";
import { blocksOtherRuns, holdsWhileWaiting } from "./capacity.ts";
import { attemptOf, sameAttempt, type TaskKind } from "./kind.ts";
import { makeQuestion, runNotice, summaryOf } from "./notice.ts";
import { withoutMarker } from "./notify-marker.ts";
import {
  type RunAttempt,
  type RunResult,
  usageOf,
  emptyOutcome,
  type TaskOutcome,
} from "./outcome.ts";
import { answerMsOf, questionOf } from "./question.ts";

type Task = Claimed<TaskKind>;

/** What a task's own verdict needs to know of its end beside the attempt. */
export interface EndFacts extends Facts {
  readonly reader: NoticeReader;
  /** The most of its runner at work at once. */
  readonly concurrency: number | undefined;
}

const reasonCharsMax = 1_000;
const endCheckMs = 1_000;
/** A pause that a service asks for is not trusted beyond this. */
const retryAfterMsMax = 86_400_000;

/** Where an attempt leaves the task itself. */
export function afterRun(record: Task, seen: RunAttempt, facts: EndFacts): Verdict<TaskKind> {
  const end = endOf(record, seen.ran);
  if (end === undefined) return goesOn(record, seen, facts);
  const reason = reasonOf(end, seen.ran);
  const outcome: TaskOutcome = {
    ...outcomeOf(record, seen),
    finishedAt: facts.now,
    reason,
    ...resultOf(record, seen),
  };
  const consequences = { append: appendedBy(record, seen, facts) };
  const note = reason === null ? {} : { note: reason };
  // A record that is being cancelled ends so by itself: as an end of ours the cancel would count as late.
  if (end === "cancelled") return { state: "pending", outcome, consequences };
  return { ends: end, outcome, consequences, ...note };
}

/** Its schedule cannot be read now: the end is kept, and settled with all that follows when it can. */
export function keepsEnd(record: Task, ended: RunAttempt, facts: Facts): Verdict<TaskKind> {
  const outcome = { ...sameAttempt(record, record.outcome ?? emptyOutcome), ended };
  const note = "it ran; its schedule could not be read at its end";
  return { state: "pending", outcome, wakeAt: facts.now + endCheckMs, freshStart: true, note };
}

function endOf(record: Task, ran: RunResult): End<TaskKind> | undefined {
  if (ran.result === "completed") return "completed";
  if (record.cancelling) return "cancelled";
  switch (ran.result) {
    case "failed":
      return canRetry(record, ran) ? undefined : "failed";
    case "interrupted":
      return "interrupted";
    case "stopped":
      return record.body.slot?.rerun === false ? "interrupted" : undefined;
    case "unanswered":
      // It may have been answered just now.
      return record.state === "needs_human" ? "failed" : undefined;
    case "asks":
    case "later":
      return undefined;
  }
}

function canRetry(record: Task, ran: RunResult & { result: "failed" }): boolean {
  return ran.retry !== false && attemptOf(record) < (record.body.retry?.attempts ?? 1);
}

function reasonOf(end: End<TaskKind>, ran: RunResult): string | null {
  if (ran.result === "completed") {
    return ran.nothingToDo === undefined ? null : cut(harmless(ran.nothingToDo), reasonCharsMax);
  }
  if (end === "cancelled") return "it was cancelled while it ran";
  if (ran.result === "failed") return cut(harmless(ran.reason), reasonCharsMax);
  if (ran.result === "unanswered") return "nobody answered what it asked in time";
  return ran.result === "stopped"
    ? "the node stopped in the middle of it"
    : "the node went away in the middle of it";
}

/** The consequences of a run that completed, and its notification. */
function appendedBy(record: Task, { ran, output }: RunAttempt, facts: EndFacts): readonly Draft[] {
  if (ran.result !== "completed") return [];
  const notice = runNotice(record, { completed: ran, output }, facts.reader, facts);
  return [...(ran.consequences ?? []), ...(notice === undefined ? [] : [notice])];
}

/** The task lives on: tried again, waiting for an answer or a callback, or given back. */
function goesOn(record: Task, seen: RunAttempt, facts: EndFacts): Verdict<TaskKind> {
  const { ran } = seen;
  const { holds, ...waiting } = holdsWhileWaiting(record, facts.concurrency);
  const outcome = { ...outcomeOf(record, seen), ...waiting };
  const left = { outcome, ...(holds === undefined ? {} : { holds }) };
  if (ran.result === "failed") {
    const reason = cut(harmless(ran.reason), reasonCharsMax);
    const wakeAt = facts.now + waitMsOf(record, ran, facts);
    return { ...left, state: "pending", wakeAt, note: reason, outcome: { ...outcome, reason } };
  }
  // What follows is the same attempt, and is not counted again.
  const same = { ...left, outcome: sameAttempt(record, outcome), freshStart: true } as const;
  if (ran.result === "asks") {
    const question = questionOf(ran);
    const draft = makeQuestion(record, question, facts.reader, facts);
    const consequences = { append: [draft] };
    const waitMs = answerMsOf(ran, blocksOtherRuns(record));
    const request = { ...same, state: "needs_human", consequences } as const;
    if (waitMs === undefined) return { ...request, outcome: { ...same.outcome, question } };
    const askedUntil = facts.now + waitMs;
    return { ...request, wakeAt: askedUntil, outcome: { ...same.outcome, question, askedUntil } };
  }
  if (ran.result === "unanswered") return { ...same, state: "pending", wakeAt: facts.now };
  if (ran.result === "later") return awaitsCallback(record, seen, same);
  return { ...same, state: "pending", wakeAt: facts.now, note: "given back: the node stopped" };
}

/** Its own wait, or the longer one that was asked for. */
function waitMsOf(
  record: Task,
  { retryAfterMs = 0 }: RunResult & { result: "failed" },
  { jitter }: Facts,
): number {
  const { retry } = record.body;
  const ownMs = retry ? backoffMs(retry, attemptOf(record), jitter) : 0;
  const askedMs = Number.isNaN(retryAfterMs) ? 0 : Math.min(retryAfterMs, retryAfterMsMax);
  return Math.max(ownMs, Math.ceil(askedMs));
}

function awaitsCallback(
  record: Task,
  seen: RunAttempt,
  same: { outcome: TaskOutcome; freshStart: true },
): Verdict<TaskKind> {
  const awaitsUntil = seen.startedAt + record.body.timeoutMs;
  const callback = record.outcome?.callback;
  // It may come before the run could say that it waits for it.
  const isNew = callback !== undefined && seen.callback === undefined;
  const outcome = { ...same.outcome, awaitsUntil, ...(isNew ? { callback } : {}) };
  return { ...same, state: "pending", outcome, wakeAt: isNew ? seen.startedAt : awaitsUntil };
}

function withoutWaits(outcome: TaskOutcome): TaskOutcome {
  const { callback: _, awaitsUntil: __, askedUntil: ___, ended: ____, ...before } = outcome;
  return before;
}

/** What every attempt leaves, however it ended. */
function outcomeOf({ outcome }: Task, { ran, startedAt, output }: RunAttempt): TaskOutcome {
  const before = withoutWaits(outcome ?? emptyOutcome);
  const usage = usageOf(ran);
  return {
    ...before,
    startedAt: before.startedAt ?? startedAt,
    exit: ("exit" in ran ? ran.exit : undefined) ?? null,
    summary: summaryOf(output.text),
    outputBytes: output.bytes,
    outputCut: before.outputCut || output.isCut,
    turns: usage ? (before.turns ?? 0) + usage.turns : before.turns,
    cost: usage ? (before.cost ?? 0) + usage.cost : before.cost,
    progress: null,
    question: null,
  };
}

function resultOf({ body }: Task, { ran, output }: RunAttempt): Partial<TaskOutcome> {
  if (ran.result !== "completed") return {};
  const { message, result } = withoutMarker(body.slot?.notify, ran, output);
  return { summary: summaryOf(message), result };
}
