import type { Claimed } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { sameAttempt, type TaskKind } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";

type Task = Claimed<TaskKind>;

/** What was seen of the workspace that a task is to run in. */
export type WorkspaceSeen =
  | { readonly is: "up"; readonly id: string }
  /** What has to be written so that it comes up, and wakes the task then. */
  | { readonly is: "down"; readonly name: string; readonly consequences: Consequences }
  /** No more may run now. */
  | { readonly is: "full"; readonly reason: string }
  /** It will not come up by itself. */
  | { readonly is: "never"; readonly reason: string };

export type WorkspaceWait = WorkspaceSeen & { is: "down" | "full" };

/** Where tasks run that are to run in a workspace. */
export interface TaskWorkspaces {
  /** Whether it runs; if not, what has to be written so that it will. */
  look(task: Task, signal: AbortSignal): Promise<WorkspaceSeen>;
  /** It could not be written. */
  refused(task: Task, error: DaybookError, signal: AbortSignal): Promise<WorkspaceSeen>;
}

/** The workspace wakes the task when it runs; this is the net under that. */
const upCheckMs = 60_000;
/** Nobody is woken when a place becomes free: it may be another owner's. */
const fullCheckMs = 15_000;

/** It waits for its workspace as a record: nothing waits in a process, and no attempt is counted. */
export function awaitsWorkspace(
  record: Task,
  seen: WorkspaceWait,
  facts: Facts,
): Verdict<TaskKind> {
  const isFull = seen.is === "full";
  const waitMs = isFull ? fullCheckMs : upCheckMs;
  return {
    state: "pending",
    wakeAt: facts.now + Math.round(waitMs * (0.5 + facts.jitter / 2)),
    freshStart: true,
    outcome: sameAttempt(record, record.outcome ?? emptyOutcome),
    note: isFull ? seen.reason : `it waits until the workspace '${seen.name}' runs`,
    // What is being cancelled asks for nothing any more.
    ...(isFull || record.cancelling ? {} : { consequences: seen.consequences }),
  };
}

const notSetUp: WorkspaceSeen = {
  is: "never",
  reason: "workspaces are not set up on this node: set `machines`",
};
const changed: WorkspaceWait = { is: "full", reason: "its workspace has just changed" };

/** The workspace of one task, where there are workspaces. */
export function workspaceOfTask(workspaces: TaskWorkspaces | undefined): {
  look(record: Task, signal: AbortSignal): Promise<WorkspaceSeen | undefined>;
  /** What had to be written could not be. What runs by now is begun with at the next look. */
  again(record: Task, refused: DaybookError, signal: AbortSignal): Promise<WorkspaceWait>;
} {
  return {
    async look(record, signal) {
      if (record.body.in === undefined) return undefined;
      return workspaces === undefined ? notSetUp : workspaces.look(record, signal);
    },
    async again(record, refused, signal) {
      const seen = await workspaces?.refused(record, refused, signal);
      return seen?.is === "down" || seen?.is === "full" ? seen : changed;
    },
  };
}
