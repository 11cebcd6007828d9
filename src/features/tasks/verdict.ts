import type { Claimed } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { present } from "../../platform/json.ts";
import { cut, harmless } from "../../platform/text.ts";
import type { NoticeReader } from "../notifications/index.ts";
import { blocksOtherRuns, holdsWhileWaiting } from "./capacity.ts";
import { attemptOf, sameAttempt, type TaskKind } from "./kind.ts";
import { questionNotice, runNotice, summaryOf } from "./notice.ts";
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

/** The facts that the task's own verdict needs beside the attempt. */
interface EndFacts extends Facts {
  readonly reader: NoticeReader;
  /** The most runs of its runner at once. */
  readonly concurrency: number | undefined;
}

const reasonCharsMax = 1_000;
const endCheckMs = 1_000;
/** The longest pause that a service may request. */
const retryAfterMsMax = 86_400_000;

/** The verdict of the task itself after an attempt. */
export function afterRun(record: Task, attempt: RunAttempt, facts: EndFacts): Verdict<TaskKind> {
  const end = endOf(record, attempt.ran);
  if (end === undefined) return continued(record, attempt, facts);
  const reason = reasonOf(end, attempt.ran);
  const outcome: TaskOutcome = {
    ...outcomeOf(record, attempt),
    finishedAt: facts.now,
    reason,
    ...resultOf(record, attempt),
  };
  const consequences = { append: appendedBy(record, attempt, facts) };
  // The ledger ends a record that is being cancelled: an end in the verdict would make the cancel count as late.
  if (end === "cancelled") return { state: "pending", outcome, consequences };
  return { ends: end, outcome, consequences, note: reason ?? undefined };
}

/** The schedule cannot be read now: the end is kept, and settled with its consequences later. */
export function keepEnd(record: Task, ended: RunAttempt, facts: Facts): Verdict<TaskKind> {
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
      // An answer may have come in the last moment.
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

/** The verdict of a task that lives on: it is retried, waits for an answer or a callback, or is given back. */
function continued(record: Task, attempt: RunAttempt, facts: EndFacts): Verdict<TaskKind> {
  const { ran } = attempt;
  const { holds, ...waiting } = holdsWhileWaiting(record, facts.concurrency);
  const outcome = { ...outcomeOf(record, attempt), ...waiting };
  if (ran.result === "failed") {
    const reason = cut(harmless(ran.reason), reasonCharsMax);
    const wakeAt = facts.now + retryMsOf(record, ran, facts);
    return { state: "pending", holds, wakeAt, note: reason, outcome: { ...outcome, reason } };
  }
  // The next claim continues this attempt, and is not counted.
  const same = { holds, outcome: sameAttempt(record, outcome), freshStart: true } as const;
  if (ran.result === "asks") {
    const question = questionOf(ran);
    const append = [questionNotice(record, question, facts.reader, facts)];
    const waitMs = answerMsOf(ran, blocksOtherRuns(record));
    const askedUntil = waitMs === undefined ? undefined : facts.now + waitMs;
    return {
      ...same,
      state: "needs_human",
      consequences: { append },
      wakeAt: askedUntil,
      outcome: present({ ...same.outcome, question, askedUntil }),
    };
  }
  if (ran.result === "unanswered") return { ...same, state: "pending", wakeAt: facts.now };
  if (ran.result === "later") return awaitCallback(record, attempt, same);
  return { ...same, state: "pending", wakeAt: facts.now, note: "given back: the node stopped" };
}

/** The backoff of the task, or the pause that the service requested if that is longer. */
function retryMsOf(
  record: Task,
  { retryAfterMs = 0 }: RunResult & { result: "failed" },
  { jitter }: Facts,
): number {
  const { retry } = record.body;
  const ownMs = retry ? backoffMs(retry, attemptOf(record), jitter) : 0;
  const requestedMs = Number.isNaN(retryAfterMs) ? 0 : Math.min(retryAfterMs, retryAfterMsMax);
  return Math.max(ownMs, Math.ceil(requestedMs));
}

function awaitCallback(
  record: Task,
  { startedAt, callback: used }: RunAttempt,
  same: { outcome: TaskOutcome; freshStart: true },
): Verdict<TaskKind> {
  const awaitsUntil = startedAt + record.body.timeoutMs;
  // The callback may arrive before the run reports that it waits for one.
  const callback = used === undefined ? record.outcome?.callback : undefined;
  const outcome = present({ ...same.outcome, awaitsUntil, callback });
  const wakeAt = callback === undefined ? awaitsUntil : startedAt;
  return { ...same, state: "pending", outcome, wakeAt };
}

function withoutWaits(outcome: TaskOutcome): TaskOutcome {
  const { callback: _, awaitsUntil: __, askedUntil: ___, ended: ____, ...rest } = outcome;
  return rest;
}

/** The outcome after any attempt. */
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
