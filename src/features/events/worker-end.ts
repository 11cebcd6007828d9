import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { fraction, type Random } from "../../platform/random.ts";
import type { Profile } from "../accounts/profile-reader.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { runAbout } from "../tasks/run-facts.ts";
import type { Numbers } from "./day-numbers.ts";
import type { Result } from "./result.ts";
import { afterHandlerRun, isOfHandler, workerAttempt } from "./task-end.ts";

interface WorkerEndOptions {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  profile(owner: string): Promise<Profile>;
  numbers: Numbers;
}

/** Where a worker outside leaves a task that it had; `now` is the store's, for whoever knows it. */
export type WorkerEnd = (
  task: Claimed<TaskKind>,
  said: Result | null,
  now?: number,
) => Promise<Verdict<TaskKind>>;

/** Decides on what workers outside say, as a node decides on what its runners did. */
export function workerEnd(options: WorkerEndOptions): WorkerEnd {
  const { clock, random } = options;
  const about = runAbout({ ...options, concurrency: undefined });
  return async (task, said, now = clock.wall()) => {
    if (!isOfHandler(task)) {
      throw new DaybookError("refused", "Only tasks of handlers are worked on from outside.");
    }
    const made = workerAttempt(task, said);
    const around = await about.read(task, made, AbortSignal.abort());
    if (around === undefined) {
      throw new DaybookError("unavailable", "The book does not answer: say it again.");
    }
    return afterHandlerRun(task, { ...made, about: around }, { now, jitter: fraction(random) });
  };
}
