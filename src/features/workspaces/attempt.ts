import type { LeaseHandle } from "../../kernel/controller.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline, type DeadlineResult } from "../../platform/deadline.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { cut, harmless } from "../../platform/text.ts";
import { progressOf } from "../tasks/index.ts";
import {
  actuator,
  type ActuatorOptions,
  type OperationContext,
  startedOutcome,
} from "./actuator.ts";
import { errorInfoFrom, mismatchError, timeoutError, type ErrorInfo } from "./error-info.ts";
import {
  unobservedWorkspace,
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import { directObserver } from "./observer.ts";
import { missingFrom, operationTimeoutMs } from "./plan.ts";
import type { VerdictContext } from "./verdict-context.ts";
import type { WorkspaceObserved } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;

interface AttemptOptions extends ActuatorOptions {
  clock: Clock;
}

interface AttemptParts {
  handle: LeaseHandle<WorkspaceKind>;
  context: VerdictContext;
}

type Attempt = (
  record: Workspace,
  operation: WorkspaceOperation,
  parts: AttemptParts,
) => Promise<WorkspaceObserved>;

/** How long an operation may take to stop after its signal aborted. */
const graceMs = 5_000;
const progressCharsMax = 200;

/** Makes one attempt at an operation: it is recorded before, and the observation after it decides. */
export function workspaceAttempt(options: AttemptOptions): Attempt {
  const observe = directObserver(options.machines, options.clock);
  const operations = actuator(options);
  return async (record, operation, { handle, context }) => {
    const { signal } = handle;
    const time = timeLimit(options.clock, record, operation);
    const first = startedOutcome(record.outcome ?? unobservedWorkspace, operation, time.now());
    const saver = outcomeSaver(options.clock, handle, first);
    const failed = (error: ErrorInfo): WorkspaceObserved => ({
      saw: "error",
      error,
      outcome: { ...saver.saved(), progress: null },
      context,
    });
    try {
      if (signal.aborted) return { saw: "stopped", outcome: saver.saved() };
      if (time.leftMs() <= 0) return failed(time.error());
      await saver.save(first);
      const result = await time.limited(signal, (stop) =>
        operations[operation](record, saver.saved(), { ...saver.context, signal: stop }),
      );
      if (signal.aborted) return { saw: "stopped", outcome: saver.saved() };
      if (!("done" in result)) return failed(time.error());
      const outcome = { ...result.done, progress: null };
      const observation = await observe(record.id, signal);
      const missing = missingFrom(operation, observation, { id: record.id, outcome });
      if (missing !== null) return failed(mismatchError(missing, operation, time.now()));
      return { saw: "done", operation, outcome, observation, context };
    } catch (error) {
      if (signal.aborted || !handle.isTrusted()) return { saw: "stopped", outcome: saver.saved() };
      if (time.leftMs() <= 0) return failed(time.error());
      if (error === saver.unsaved()) throw error; // an error of the ledger, not of the workspace
      return failed(errorInfoFrom(daybookError(error), operation, time.now()));
    } finally {
      await saver.end();
    }
  };
}

interface TimeLimit {
  /** The time of the store, as far as this node knows it. */
  now(): number;
  leftMs(): number;
  error(): ErrorInfo;
  limited<T>(
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<DeadlineResult<T>>;
}

/** The time limit of an operation, over all attempts at it. */
function timeLimit(clock: Clock, record: Workspace, operation: WorkspaceOperation): TimeLimit {
  const startMono = clock.mono();
  const now = (): number => record.lease.claimedAt + Math.round(clock.mono() - startMono);
  const earlier =
    record.outcome?.operation === operation ? record.outcome.operationStartedAt : null;
  const startedAt = earlier ?? now();
  const limitMs = operationTimeoutMs(operation);
  const leftMs = (): number => startedAt + limitMs - now();
  return {
    now,
    leftMs,
    error: () => timeoutError(operation, { startedAt, limitMs, now: now() }),
    limited: (signal, run) => withDeadline({ clock, timeoutMs: leftMs(), graceMs, signal }, run),
  };
}

interface OutcomeSaver {
  saved(): WorkspaceOutcome;
  /** Why the newest outcome could not be saved; undefined: it was saved. */
  unsaved(): unknown;
  save(outcome: WorkspaceOutcome): Promise<void>;
  readonly context: Omit<OperationContext, "signal">;
  end(): Promise<void>;
}

/** Saves the outcome during an operation, for the next attempt at it. */
function outcomeSaver(
  clock: Clock,
  handle: LeaseHandle<WorkspaceKind>,
  first: WorkspaceOutcome,
): OutcomeSaver {
  let saved = first;
  let unsaved: unknown;
  const save = async (outcome: WorkspaceOutcome): Promise<void> => {
    saved = outcome; // set before the write, so that a progress report meanwhile does not undo it
    await handle.save(outcome).catch((error: unknown) => {
      unsaved = error;
      throw error;
    });
  };
  const progress = progressOf(clock, (text) => save({ ...saved, progress: text }));
  return {
    saved: () => saved,
    unsaved: () => unsaved,
    save,
    context: {
      save,
      trust: () => trust(handle),
      progress: (text) => progress.report(cut(harmless(text), progressCharsMax)),
    },
    end: progress.end,
  };
}

function trust({ isTrusted, signal }: LeaseHandle<WorkspaceKind>): void {
  if (isTrusted() && !signal.aborted) return;
  const sentence = "The lease may have passed to another node, so nothing is destroyed.";
  throw new DaybookError("closed", sentence);
}

function daybookError(error: unknown): DaybookError {
  if (error instanceof DaybookError) return error;
  return new DaybookError("bug", messageOf(error), { cause: error });
}
