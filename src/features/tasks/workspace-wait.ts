import type { Claimed } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { sameAttempt, type TaskKind } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";

type Task = Claimed<TaskKind>;

/** Whether the workspace of a task is ready for its run. */
export type WorkspaceReadiness =
  | { readonly is: "ready"; readonly id: string }
  /** The consequences start it, and let it wake the task when it runs. */
  | { readonly is: "starting"; readonly name: string; readonly consequences: Consequences }
  /** No further workspace may run now. */
  | { readonly is: "full"; readonly reason: string }
  /** It will not start without a person. */
  | { readonly is: "unavailable"; readonly reason: string };

export type WaitingReadiness = WorkspaceReadiness & { is: "starting" | "full" };

/** The workspaces that tasks run in. */
export interface TaskWorkspaces {
  observe(task: Task, signal: AbortSignal): Promise<WorkspaceReadiness>;
  /** Observes again after its consequences were refused. */
  reobserve(task: Task, refused: DaybookError, signal: AbortSignal): Promise<WorkspaceReadiness>;
}

/** The workspace wakes the task when it runs. This check catches a lost wake. */
const startCheckMs = 60_000;
/** Free capacity wakes no task, because it may be of another owner. */
const fullCheckMs = 15_000;

/** Waits for the workspace as a record: no process waits, and no attempt is counted. */
export function waitForWorkspace(
  record: Task,
  readiness: WaitingReadiness,
  facts: Facts,
): Verdict<TaskKind> {
  const isFull = readiness.is === "full";
  const waitMs = isFull ? fullCheckMs : startCheckMs;
  return {
    state: "pending",
    wakeAt: facts.now + Math.round(waitMs * (0.5 + facts.jitter / 2)),
    freshStart: true,
    outcome: sameAttempt(record, record.outcome ?? emptyOutcome),
    note: isFull ? readiness.reason : `it waits until the workspace '${readiness.name}' runs`,
    // A task that is being cancelled starts no workspace.
    consequences: isFull || record.cancelling ? undefined : readiness.consequences,
  };
}

const notConfigured: WorkspaceReadiness = {
  is: "unavailable",
  reason: "workspaces are not set up on this node: set `machines`",
};
const changed: WaitingReadiness = { is: "full", reason: "its workspace has just changed" };

/** Observes the workspace of a task, on nodes with or without workspaces. */
export function readinessOf(workspaces: TaskWorkspaces | undefined): {
  /** Undefined: the task needs no workspace. */
  observe(record: Task, signal: AbortSignal): Promise<WorkspaceReadiness | undefined>;
  /** A workspace that became ready meanwhile is used at the next claim. */
  reobserve(record: Task, refused: DaybookError, signal: AbortSignal): Promise<WaitingReadiness>;
} {
  return {
    async observe(record, signal) {
      if (record.body.in === undefined) return undefined;
      return workspaces === undefined ? notConfigured : workspaces.observe(record, signal);
    },
    async reobserve(record, refused, signal) {
      const readiness = await workspaces?.reobserve(record, refused, signal);
      return readiness?.is === "starting" || readiness?.is === "full" ? readiness : changed;
    },
  };
}
