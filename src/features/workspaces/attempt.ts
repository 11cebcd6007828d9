import type { LeaseHandle } from "../../kernel/controller.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline, type DeadlineResult } from "../../platform/deadline.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { cut, harmless } from "../../platform/text.ts";
import { progressOf } from "../tasks/index.ts";
import { operating, type OperatingOptions, type OperationContext, begun } from "./actuator.ts";
import type { WorkspaceFacts } from "./facts.ts";
import { faultOf, mismatch, timedOut, type ErrorInfo } from "./fault.ts";
import {
  unobservedWorkspace,
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import { directObserver } from "./observer.ts";
import { missingFrom, operationTimeoutMs } from "./plan.ts";
import type { WorkspaceObserved } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;

interface AttemptOptions extends OperatingOptions {
  clock: Clock;
}

interface At {
  handle: LeaseHandle<WorkspaceKind>;
  about: WorkspaceFacts;
}

type Attempt = (
  record: Workspace,
  operation: WorkspaceOperation,
  at: At,
) => Promise<WorkspaceObserved>;

/** How long what was told to stop may take to do so. */
const graceMs = 5_000;
const progressCharsMax = 200;

/** Makes one attempt at an operation: that it is made is written down before, and what is there decides after. */
export function workspaceAttempt(options: AttemptOptions): Attempt {
  const lookAt = directObserver(options.machines, options.clock);
  const does = operating(options);
  return async (record, operation, { handle, about }) => {
    const { signal } = handle;
    const watch = watchOf(options.clock, record, operation);
    const first = begun(record.outcome ?? unobservedWorkspace, operation, watch.now());
    const notes = notesOf(options.clock, handle, first);
    const failed = (fault: ErrorInfo): WorkspaceObserved => ({
      saw: "fault",
      fault,
      outcome: { ...notes.saved(), progress: null },
      about,
    });
    try {
      if (signal.aborted) return { saw: "stopped", outcome: notes.saved() };
      if (watch.leftMs() <= 0) return failed(watch.overdue());
      await notes.save(first);
      const came = await watch.inTime(signal, (told) =>
        does[operation](record, notes.saved(), { ...notes.context, signal: told }),
      );
      if (signal.aborted) return { saw: "stopped", outcome: notes.saved() };
      if (!("done" in came)) return failed(watch.overdue());
      const outcome = { ...came.done, progress: null };
      const observation = await lookAt(record.id, signal);
      const missing = missingFrom(operation, observation, { id: record.id, outcome });
      if (missing !== null) return failed(mismatch(missing, operation, watch.now()));
      return { saw: "done", operation, outcome, observation, about };
    } catch (error) {
      if (signal.aborted || !handle.isTrusted()) return { saw: "stopped", outcome: notes.saved() };
      if (watch.leftMs() <= 0) return failed(watch.overdue());
      if (error === notes.unsaved()) throw error; // the ledger's fault, not the workspace's
      return failed(faultOf(asOurs(error), operation, watch.now()));
    } finally {
      await notes.end();
    }
  };
}

interface Watch {
  /** The store's clock, as well as it is known. */
  now(): number;
  leftMs(): number;
  overdue(): ErrorInfo;
  inTime<T>(
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<DeadlineResult<T>>;
}

/** How long an operation may still take: it is counted over all attempts at it. */
function watchOf(clock: Clock, record: Workspace, operation: WorkspaceOperation): Watch {
  const began = clock.mono();
  const now = (): number => record.lease.claimedAt + Math.round(clock.mono() - began);
  const earlier =
    record.outcome?.operation === operation ? record.outcome.operationStartedAt : null;
  const startedAt = earlier ?? now();
  const limitMs = operationTimeoutMs(operation);
  const leftMs = (): number => startedAt + limitMs - now();
  return {
    now,
    leftMs,
    overdue: () => timedOut(operation, { startedAt, limitMs, now: now() }),
    inTime: (signal, run) => withDeadline({ clock, timeoutMs: leftMs(), graceMs, signal }, run),
  };
}

interface Notes {
  saved(): WorkspaceOutcome;
  /** Why the newest could not be written down; undefined: it was. */
  unsaved(): unknown;
  save(outcome: WorkspaceOutcome): Promise<void>;
  readonly context: Omit<OperationContext, "signal">;
  end(): Promise<void>;
}

/** What is written down in the course of an operation, for whoever goes on with it. */
function notesOf(clock: Clock, handle: LeaseHandle<WorkspaceKind>, first: WorkspaceOutcome): Notes {
  let saved = first;
  let unsaved: unknown;
  const save = async (outcome: WorkspaceOutcome): Promise<void> => {
    saved = outcome; // before it is written: what is told of progress meanwhile must not undo it
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
  const sentence = "The lease is not surely ours any more: nothing is destroyed by it.";
  throw new DaybookError("closed", sentence);
}

function asOurs(error: unknown): DaybookError {
  if (error instanceof DaybookError) return error;
  return new DaybookError("bug", messageOf(error), { cause: error });
}
