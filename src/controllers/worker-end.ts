import type { Clock } from "../base/clock.ts";
import { DaybookError } from "../base/errors.ts";
import { fraction, type Random } from "../base/random.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Profile } from "../ledger/profiles.ts";
import type { Claimed } from "../rules/record.ts";
import type { Verdict } from "../rules/verdict.ts";
import { afterHandlerRun, isOfHandler, workerAttempt } from "../rules/when/ending.ts";
import type { Result } from "../rules/when/result.ts";
import type { Numbers } from "./numbers.ts";
import { runAbout } from "./run-about.ts";

interface WorkerEndOptions {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  profile(owner: string): Promise<Profile>;
  numbers: Numbers;
}

/** Where a worker outside leaves a task that it had; `now` is the store's, for whoever knows it. */
export type WorkerEnd = (
  task: Claimed<"task">,
  said: Result | null,
  now?: number,
) => Promise<Verdict<"task">>;

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
