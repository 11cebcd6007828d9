import type { Claimed } from "../../kernel/record.ts";
import type { Wake } from "../../kernel/unit.ts";
import type { NoticeReader } from "../notifications/index.ts";
import type { RunningLimits } from "./capacity.ts";
import { unobservedWorkspace, type WorkspaceOutcome, type WorkspaceKind } from "./kind.ts";

type Workspace = Claimed<WorkspaceKind>;

/** What a verdict needs beside the record and the observation. */
export interface WorkspaceFacts {
  readonly slotAt: number | null;
  readonly pollMs: number;
  readonly limits: RunningLimits;
  readonly reader: NoticeReader;
  /** Where administrators are notified of a workspace in ERROR; null: only its owner is. */
  readonly administrator: string | null;
  /** The limit of running workspaces is reached: it stays asleep for now. */
  readonly isFull?: boolean;
  /** Tasks that waited for it and are not in the book any more. */
  readonly forgotten?: readonly string[];
}

/** The tasks to wake when it runs, or never will. */
export function wakesOf({ body }: Workspace, { forgotten = [] }: WorkspaceFacts): readonly Wake[] {
  return body.waiting.filter((id) => !forgotten.includes(id)).map((id) => ({ id }));
}

export function outcomeOf({ outcome }: Workspace): WorkspaceOutcome {
  return outcome ?? unobservedWorkspace;
}

/** What was claimed lives. */
export function liveOf({ state }: Workspace): "pending" | "standby" | "running" | "error" {
  return state === "standby" || state === "running" || state === "error" ? state : "pending";
}
