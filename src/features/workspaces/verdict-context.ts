import type { Claimed } from "../../kernel/record.ts";
import type { Wake } from "../../kernel/unit.ts";
import type { NoticeReader } from "../notifications/index.ts";
import type { RunningLimits } from "./capacity.ts";
import { unobservedWorkspace, type WorkspaceOutcome, type WorkspaceKind } from "./kind.ts";

type Workspace = Claimed<WorkspaceKind>;

/** What a verdict needs beside the record and the observation. */
export interface VerdictContext {
  /** The next slot of a schedule that runs in it. */
  readonly slotAt: number | null;
  readonly pollMs: number;
  readonly limits: RunningLimits;
  readonly reader: NoticeReader;
  /** Where administrators are notified of a workspace in ERROR; null: only its owner is. */
  readonly administrator: string | null;
  /** The limit of running workspaces is reached, so that it stays asleep for now. */
  readonly isFull?: boolean;
  /** Waiting tasks that no longer exist. */
  readonly missingTasks?: readonly string[];
}

/** Wakes the waiting tasks. */
export function wakesOf(
  { body }: Workspace,
  { missingTasks = [] }: VerdictContext,
): readonly Wake[] {
  return body.waiting.filter((id) => !missingTasks.includes(id)).map((id) => ({ id }));
}

export function outcomeOf({ outcome }: Workspace): WorkspaceOutcome {
  return outcome ?? unobservedWorkspace;
}

/** The state of a claimed workspace, which is live. */
export function liveOf({ state }: Workspace): "pending" | "standby" | "running" | "error" {
  return state === "standby" || state === "running" || state === "error" ? state : "pending";
}
