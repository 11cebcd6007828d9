import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { holdsWhileWaiting } from "../tasks/capacity.ts";
import { sameAttempt, type TaskKind } from "../tasks/kind.ts";
import { emptyOutcome } from "../tasks/outcome.ts";
import type { StartFacts } from "../tasks/run-hook.ts";
import { retryMs } from "../tasks/run-spec.ts";

/**
 * What a task of a handler that is to run waits for when the attempt before was cut off: the same minute as after one
 * that failed, for what ended it may still be there. Undefined: nothing.
 */
export function waitsAfterLapse(
  record: Claimed<TaskKind>,
  { now, concurrency }: StartFacts,
): Verdict<TaskKind> | undefined {
  const { lapses } = record;
  const before = record.outcome ?? emptyOutcome;
  // With its callback, only the end of what was done is read.
  if (lapses === 0 || before.callback !== undefined) return undefined;
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
