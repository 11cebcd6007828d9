import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { fraction, type Random } from "../../platform/random.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { decideEnd, runFacts } from "../tasks/run-end.ts";
import type { RunHook } from "../tasks/run-hook.ts";
import type { Result } from "./result.ts";
import { isOfHandler, workerAttempt } from "./task-end.ts";

interface WorkerEndOptions {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  profile(owner: string): Promise<Profile>;
  /** Of every feature: a task of a handler may be a slot of a schedule. */
  hooks: readonly RunHook[];
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
  const facts = runFacts({ ...options, concurrency: undefined });
  return async (task, said, now = clock.wall()) => {
    if (!isOfHandler(task)) {
      throw new DaybookError("refused", "Only tasks of handlers are worked on from outside.");
    }
    const made = workerAttempt(task, said);
    const known = await facts.read(task, made, AbortSignal.abort());
    if (known === undefined) {
      throw new DaybookError("unavailable", "The book does not answer: say it again.");
    }
    return decideEnd(task, { ...made, known }, { now, jitter: fraction(random) });
  };
}
