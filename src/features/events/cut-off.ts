import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { holdsWhileWaiting, sleeps, startOf } from "../tasks/capacity.ts";
import { emptyOutcome, sameAttempt, type TaskKind } from "../tasks/kind.ts";
import { retryMs } from "./handler.ts";

/** What a task that was claimed waits for, whatever else is to be seen; undefined: nothing. */
export function waitsFirst(
  record: Claimed<TaskKind>,
  concurrency: number | undefined,
  facts: Facts,
): Verdict<TaskKind> | undefined {
  const start = startOf(record, concurrency, facts.now);
  if (start === "asleep") return sleeps(record);
  return start === "run" ? waitsAfterLapse(record, concurrency, facts) : undefined;
}

/**
 * What a task of a handler that is to run waits for when the attempt before was cut off: the same minute as after one
 * that failed, for what ended it may still be there. Undefined: nothing.
 */
function waitsAfterLapse(
  record: Claimed<TaskKind>,
  concurrency: number | undefined,
  { now }: Facts,
): Verdict<TaskKind> | undefined {
  const { lapses, body } = record;
  const before = record.outcome ?? emptyOutcome;
  // With its callback, only the end of what was done is read.
  if (lapses === 0 || body.event === undefined || before.callback !== undefined) return undefined;
  const { holds, ...waiting } = holdsWhileWaiting(record, concurrency);
  return {
    state: "pending",
    wakeAt: now + retryMs,
    freshStart: true,
    outcome: { ...sameAttempt(record, before), ...waiting },
    note: "the node went away in the middle of it",
    ...(holds === undefined ? {} : { holds }),
  };
}
