import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { awaitsTurn, postponed, startOf, takesTurn, type Start } from "./capacity.ts";
import { taskQueue, type TaskKind, taskKind } from "./kind.ts";
import type { RunAttempt, RunResult } from "./outcome.ts";
import { runOnce, type MakeAttempt } from "./run-attempt.ts";
import { afterRefusal, decideEnd, type RunSeen, runFacts } from "./run-end.ts";
import { type RunHook, beforeStart, postponedBy, waiting } from "./run-hook.ts";
import type { Runner } from "./runner.ts";
import { keepsEnd } from "./verdict.ts";
import {
  awaitsWorkspace,
  workspaceOfTask,
  type TaskWorkspaces,
  type WorkspaceSeen,
  type WorkspaceWait,
} from "./workspace-wait.ts";

export interface TasksOptions {
  ledger: Ledger;
  clock: Clock;
  /** How an owner reads. */
  profile(owner: string): Promise<Profile>;
  /** What other features add to the end of a run, in the order of the features. */
  hooks: readonly RunHook[];
  /** The most that one attempt may write. */
  outputBytesMax?: number;
  /** Where tasks run that are to run in a workspace; absent: they cannot. */
  workspaces?: TaskWorkspaces | undefined;
}

type Task = Claimed<TaskKind>;

/** What was observed of a task that was claimed. */
type Observed = (Waits | Ended) & {
  /** How often its consequences were refused. */
  readonly rounds: number;
};

type Waits = (
  | { /** A hook lets it wait. */ readonly saw: "postponed"; readonly reason: string }
  | { /** It must have its turn first. */ readonly saw: "turn" }
  | { /** The turn is another's. */ readonly saw: "held"; readonly name: string }
  | {
      /** The workspace that it is to run in does not run. */
      readonly saw: "workspace";
      readonly seen: WorkspaceWait;
      readonly signal: AbortSignal;
    }
  | {
      /** It ran, and what must be known at its end cannot be read. */
      readonly saw: "unread";
      readonly attempt: RunAttempt;
    }
) & { /** What the hooks would end has ended already. */ readonly isOver?: boolean };

interface Ended {
  readonly saw: "end";
  readonly seen: RunSeen;
  readonly signal: AbortSignal;
}

const defaultOutputBytesMax = 1024 * 1024;
/** Runs of one schedule that end together come one after the other: each round one of them is through. */
const contention: Backoff = { firstMs: 20, factor: 2, maxMs: 2_000 };
/** After so many rounds the end is kept for later. */
const roundsMax = 18;

/** Runs tasks of one name: takes their turns, makes attempts, and settles their ends with all that follows. */
export function taskController(
  runner: Runner,
  options: TasksOptions,
): Controller<TaskKind, Observed> {
  const { clock, hooks, outputBytesMax = defaultOutputBytesMax } = options;
  const { concurrency } = runner;
  const known = runFacts({ ...options, concurrency });
  const where = workspaceOfTask(options.workspaces);
  const once = runOnce(runner, { ...options, outputBytesMax });

  const notRun = async (record: Task, ran: RunResult): Promise<RunAttempt> => ({
    ran,
    startedAt: record.lease.claimedAt,
    output: await known.wrote(record),
  });
  const attempt = (record: Task, { start, workspace, ready }: Begin): Promise<RunAttempt> => {
    if (start === "interrupted") return notRun(record, { result: "interrupted" });
    if (workspace?.is === "never")
      return notRun(record, { result: "failed", reason: workspace.reason });
    if (ready !== undefined) return ready(workspace?.id);
    const isAsking = record.state === "needs_human";
    return notRun(record, isAsking ? { result: "unanswered" } : noCallback);
  };
  return {
    name: `tasks ${runner.name}`,
    kind: taskKind,
    queue: taskQueue(runner.name),
    pollMs: 10_000,
    before: (record, facts) => beforeStart(record, hooks, { ...facts, concurrency }),
    async act(record, handle) {
      const { signal } = handle;
      const start = startOf(record, concurrency, record.lease.claimedAt);
      const reason = postponedBy(hooks, record, start);
      if (reason !== undefined) return { saw: "postponed", reason, rounds: 0 };
      if (start === "turn") return { saw: "turn", rounds: 0 };
      const ready = start === "run" ? await once(record, handle) : undefined;
      // Its workspace is observed last: while the task waits for something else, it may fall asleep.
      const workspace = start === "run" ? await where.look(record, signal) : undefined;
      if (workspace?.is === "down" || workspace?.is === "full") {
        return { saw: "workspace", seen: workspace, signal, rounds: 0 };
      }
      const made = record.outcome?.ended ?? (await attempt(record, { start, workspace, ready }));
      const read = await known.read(record, made, signal);
      if (read === undefined) return { saw: "unread", attempt: made, rounds: 0 };
      return { saw: "end", seen: { ...made, known: read }, signal, rounds: 0 };
    },
    decide(record, observed, facts) {
      if (observed.saw === "end") return decideEnd(record, observed.seen, facts);
      const verdict = waits(record, observed, { ...facts, concurrency });
      return observed.isOver === true ? verdict : waiting(record, verdict, hooks);
    },
    cancelled: (record, verdict) => waiting(record, verdict, hooks),
    async reread(record, observed, refused) {
      const rounds = observed.rounds + 1;
      if (observed.saw === "workspace" && !record.cancelling) {
        return { ...observed, rounds, seen: await where.again(record, refused, observed.signal) };
      }
      if (observed.saw !== "end" && refused.code === "held") {
        return { saw: "held", name: String(refused.details["name"]), rounds };
      }
      await sleep(clock, backoffMs(contention, rounds, spread(record.id, rounds)));
      if (observed.saw !== "end") return { ...observed, rounds, isOver: isOver(refused) };
      const made = afterRefusal(observed.seen, refused);
      const fresh =
        rounds < roundsMax ? await known.read(record, made, observed.signal) : undefined;
      if (fresh === undefined) return { saw: "unread", attempt: made, rounds };
      return { ...observed, rounds, seen: { ...made, known: fresh } };
    },
  };
}

/** It does not run now. */
function waits(
  record: Task,
  observed: Waits,
  { concurrency, ...facts }: Facts & { concurrency: number | undefined },
): Verdict<TaskKind> {
  switch (observed.saw) {
    case "postponed":
      return postponed(record, observed.reason, facts);
    case "turn":
      return takesTurn(record, concurrency, facts);
    case "held":
      return awaitsTurn(record, observed.name, facts);
    case "workspace":
      return awaitsWorkspace(record, observed.seen, facts);
    case "unread":
      return keepsEnd(record, observed.attempt, facts);
  }
}

interface Begin {
  start: Start;
  /** Makes the attempt; undefined: there is none to make. */
  ready: MakeAttempt | undefined;
  workspace: Exclude<WorkspaceSeen, WorkspaceWait> | undefined;
}

const noCallback: RunResult = { result: "failed", reason: "no callback came in time" };

/** What a task that is cancelled would end has ended already, or is forgotten. */
function isOver({ code }: DaybookError): boolean {
  return code === "ended" || code === "not_found";
}

/** In [0, 1): another for each record and round, so that what was refused together comes back apart. */
function spread(id: string, round: number): number {
  const seed = Number.parseInt(id.slice(-6), 16) || 0;
  return ((seed * (2 * round + 1)) % 1_009) / 1_009;
}
