import type { End } from "../../kernel/kind.ts";
import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Draft, EditOf, Follows } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { RunAbout } from "../schedules/run-count.ts";
import type { TaskKind } from "../tasks/kind.ts";
import type { RunAttempt, RunResult } from "../tasks/result.ts";
import { afterRun, type RunSeen } from "../tasks/verdict.ts";
import type { TaskEvent } from "./event-task.ts";
import { retryMs } from "./handler.ts";
import type { EventKind } from "./kind.ts";
import { messagesOf, type HandlerTask } from "./messages.ts";
import { makeQuestion } from "./question.ts";
import { resultOf, type Result } from "./result.ts";

type Task = Claimed<TaskKind>;
type OfHandler = Task & { body: { event: TaskEvent } };

/** What is true around a task of a handler at its end. */
export interface WhenAbout {
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

/** Where an attempt leaves a task of a handler: its event, what is said and what is asked are one unit with it. */
export function afterHandlerRun(record: OfHandler, seen: RunSeen, facts: Facts): Verdict<TaskKind> {
  const verdict = afterAttempt(record, seen, facts);
  return withNext(withEvent(record, verdict, seen.about), seen.about);
}

function afterAttempt(record: OfHandler, seen: RunSeen, facts: Facts): Verdict<TaskKind> {
  const { ran } = seen;
  if (ran.result === "stopped" || ran.result === "later") return afterRun(record, seen, facts);
  const result = resultOf(ran, seen.output, record.id);
  const verdict = afterRun(record, { ...seen, ran: ranAs(result, ran) }, facts);
  if (!("ends" in verdict)) return verdict;
  const ends = result.status === "skipped" ? "skipped" : verdict.ends;
  const reason = result.status === "skipped" ? result.reason : verdict.outcome?.reason;
  const outcome = verdict.outcome && {
    ...verdict.outcome,
    result,
    reason: reason ?? null,
    summary: verdict.outcome.summary ?? (result.summary || null),
  };
  const ended = { ...verdict, ends, ...(outcome === undefined ? {} : { outcome }) };
  const said = sayingOf(record, result, seen.about, facts);
  return { ...ended, follows: joined(verdict.follows, said) };
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
  if (!isOfHandler(record) || ran.result === "stopped" || ran.result === "later") return 0;
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
      const follows = ran.result === "completed" ? ran.follows : undefined;
      const made = follows === undefined ? {} : { follows };
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

function sayingOf(
  record: OfHandler,
  result: Result,
  { reader, when }: RunAbout,
  { now }: Facts,
): readonly Draft[] {
  const task: HandlerTask = record;
  const ids = when?.messageIds ?? [];
  const messages = messagesOf(task, result, { now, reader }).map((draft, index) => {
    const id = ids[index];
    return id === undefined ? draft : { ...draft, id };
  });
  if (result.status !== "needs_human") return messages;
  const { question: text, choices = [], session_id: sessionId = null } = result;
  return [makeQuestion(task, { text, choices, sessionId }, now), ...messages];
}

/** The event ends with its task, however that ends. A task that is being cancelled ends when it does not go on. */
function withEvent(
  record: Task,
  verdict: Verdict<TaskKind>,
  { when }: RunAbout,
): Verdict<TaskKind> {
  const end = "ends" in verdict ? verdict.ends : record.cancelling ? "cancelled" : undefined;
  if (end === undefined || when?.event === undefined) return verdict;
  const edit = endsEvent(when.event, end, verdict.outcome?.reason ?? null);
  const { follows } = verdict;
  return { ...verdict, follows: { ...follows, edit: [...(follows?.edit ?? []), edit] } };
}

/** Its place is free, whether it ends or is tried again: who waits for one has it at once. */
function withNext(verdict: Verdict<TaskKind>, { when }: RunAbout): Verdict<TaskKind> {
  const { follows } = verdict;
  if (when?.next === undefined) return verdict;
  return {
    ...verdict,
    follows: { ...follows, wake: [...(follows?.wake ?? []), { id: when.next }] },
  };
}

/** What is cancelled while it waits does not go on: its event ends with it, unless that has ended already. */
export function endingEvent(record: Task, verdict: Verdict<TaskKind>): Verdict<TaskKind> {
  const { event, slot } = record.body;
  // A slot of a schedule handles no event, whatever there is of that name.
  if (!record.cancelling || event === undefined || slot !== undefined) return verdict;
  const edit = { kind: "event", id: event.id, ends: eventEnds.cancelled } as const;
  return { ...verdict, follows: { edit: [edit] } };
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

function joined(follows: Follows | undefined, append: readonly Draft[]): Follows {
  return { ...follows, append: [...(follows?.append ?? []), ...append] };
}
