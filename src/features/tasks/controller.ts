import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { type NextStep, nextStep, postpone, takeTurn, waitForTurn } from "./capacity.ts";
import { taskQueue, type TaskKind, taskKind } from "./kind.ts";
import type { RunAttempt, RunResult } from "./outcome.ts";
import { attemptWith } from "./run-attempt.ts";
import { afterRefusal, decideEnd, type RunEndSeen, runEndReader } from "./run-end.ts";
import { type RunHook, beforeStart, postponedBy, waitVerdict } from "./run-hook.ts";
import type { Runner } from "./runner.ts";
import { keepEnd } from "./verdict.ts";
import {
  readinessOf,
  waitForWorkspace,
  type TaskWorkspaces,
  type WaitingReadiness,
} from "./workspace-wait.ts";

export interface TasksOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  /** What other features add to a run and its end, in the order of the features. */
  hooks: readonly RunHook[];
  /** The most that one attempt may write. */
  outputBytesMax?: number;
  /** Absent: no task can run in a workspace. */
  workspaces?: TaskWorkspaces | undefined;
}

type Task = Claimed<TaskKind>;

/** What was observed of a claimed task. */
type Observed = (Wait | Ended) & {
  /** How often its consequences were refused. */
  readonly rounds: number;
};

type Wait = (
  | { /** A hook postpones it. */ readonly saw: "postponed"; readonly reason: string }
  | { /** It must take its turn first. */ readonly saw: "turn" }
  | { /** Another task holds a name that it needs. */ readonly saw: "held"; readonly name: string }
  | {
      /** Its workspace does not run yet. */
      readonly saw: "workspace";
      readonly readiness: WaitingReadiness;
      readonly signal: AbortSignal;
    }
  | {
      /** It ran, and the facts that its end needs cannot be read. */
      readonly saw: "unread";
      readonly attempt: RunAttempt;
    }
) & {
  /** The records that the hooks would end with it have ended already. */ readonly isLate?: boolean;
};

interface Ended {
  readonly saw: "end";
  readonly seen: RunEndSeen;
  readonly signal: AbortSignal;
}

const defaultOutputBytesMax = 1024 * 1024;
/** Runs of one schedule that end at the same time are settled one after another, one in each round. */
const contention: Backoff = { firstMs: 20, factor: 2, maxMs: 2_000 };
/** After so many rounds the end is kept, and settled later. */
const roundsMax = 18;

/** Runs tasks of one name: takes their turns, makes the attempts, and settles their ends with all consequences. */
export function taskController(
  runner: Runner,
  options: TasksOptions,
): Controller<TaskKind, Observed> {
  const { clock, hooks } = options;
  const { concurrency } = runner;
  const ends = runEndReader({ ...options, concurrency });
  const workspaces = readinessOf(options.workspaces);
  return {
    name: `tasks ${runner.name}`,
    kind: taskKind,
    queue: taskQueue(runner.name),
    pollMs: 10_000,
    before: (record, facts) => beforeStart(record, hooks, { ...facts, concurrency }),
    act: actWith(runner, options, { ends, workspaces }),
    decide(record, observed, facts) {
      if (observed.saw === "end") return decideEnd(record, observed.seen, facts);
      const verdict = decideWait(record, observed, { ...facts, concurrency });
      return observed.isLate === true ? verdict : waitVerdict(record, verdict, hooks);
    },
    cancelled: (record, verdict) => waitVerdict(record, verdict, hooks),
    async observeAgain(record, observed, refused) {
      const rounds = observed.rounds + 1;
      if (observed.saw === "workspace" && !record.cancelling) {
        const readiness = await workspaces.reobserve(record, refused, observed.signal);
        return { ...observed, rounds, readiness };
      }
      if (observed.saw !== "end" && refused.code === "held") {
        return { saw: "held", name: String(refused.details["name"]), rounds };
      }
      await sleep(clock, backoffMs(contention, rounds, spread(record.id, rounds)));
      if (observed.saw !== "end") return { ...observed, rounds, isLate: hasEnded(refused) };
      const attempt = afterRefusal(observed.seen, refused);
      const facts =
        rounds < roundsMax ? await ends.facts(record, attempt, observed.signal) : undefined;
      if (facts === undefined) return { saw: "unread", attempt, rounds };
      return { ...observed, rounds, seen: { ...attempt, facts } };
    },
  };
}

interface ActParts {
  ends: ReturnType<typeof runEndReader>;
  workspaces: ReturnType<typeof readinessOf>;
}

/** Makes the attempt that is due, or observes why there is none. */
function actWith(
  runner: Runner,
  options: TasksOptions,
  { ends, workspaces }: ActParts,
): Controller<TaskKind, Observed>["act"] {
  const { hooks, outputBytesMax = defaultOutputBytesMax } = options;
  const openAttempt = attemptWith(runner, { ...options, outputBytesMax });
  const notRun = async (record: Task, ran: RunResult): Promise<RunAttempt> => ({
    ran,
    startedAt: record.lease.claimedAt,
    output: await ends.output(record),
  });
  return async (record, handle) => {
    const { signal } = handle;
    const ended = async (attempt: RunAttempt): Promise<Observed> => {
      const facts = await ends.facts(record, attempt, signal);
      if (facts === undefined) return { saw: "unread", attempt, rounds: 0 };
      return { saw: "end", seen: { ...attempt, facts }, signal, rounds: 0 };
    };
    const step = nextStep(record, runner.concurrency, record.lease.claimedAt);
    const reason = postponedBy(hooks, record, step);
    if (reason !== undefined) return { saw: "postponed", reason, rounds: 0 };
    if (step === "turn") return { saw: "turn", rounds: 0 };
    if (step !== "run") {
      return ended(record.outcome?.ended ?? (await notRun(record, unrunResult(record, step))));
    }
    const makeAttempt = await openAttempt(record, handle);
    // Its workspace is observed last: while the task waits for something else, it may fall asleep.
    const workspace = await workspaces.observe(record, signal);
    if (workspace?.is === "starting" || workspace?.is === "full") {
      return { saw: "workspace", readiness: workspace, signal, rounds: 0 };
    }
    if (workspace?.is === "unavailable") {
      return ended(await notRun(record, { result: "failed", reason: workspace.reason }));
    }
    return ended(await makeAttempt(workspace?.id));
  };
}

/** The result of a task that ends without another attempt. */
function unrunResult({ state }: Task, step: NextStep): RunResult {
  if (step === "interrupted") return { result: "interrupted" };
  if (state === "needs_human") return { result: "unanswered" };
  return { result: "failed", reason: "no callback came in time" };
}

/** The verdict of a task that does not run now. */
function decideWait(
  record: Task,
  observed: Wait,
  { concurrency, ...facts }: Facts & { concurrency: number | undefined },
): Verdict<TaskKind> {
  switch (observed.saw) {
    case "postponed":
      return postpone(record, observed.reason, facts);
    case "turn":
      return takeTurn(record, concurrency, facts);
    case "held":
      return waitForTurn(record, observed.name, facts);
    case "workspace":
      return waitForWorkspace(record, observed.readiness, facts);
    case "unread":
      return keepEnd(record, observed.attempt, facts);
  }
}

/** The records that a cancelled task would end have ended already, or were pruned. */
function hasEnded({ code }: DaybookError): boolean {
  return code === "ended" || code === "not_found";
}

/** In [0, 1), different for each record and round, so that writes that were refused together are spread. */
function spread(id: string, round: number): number {
  const seed = Number.parseInt(id.slice(-6), 16) || 0;
  return ((seed * (2 * round + 1)) % 1_009) / 1_009;
}
