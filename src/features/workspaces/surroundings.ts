import type { Claimed } from "../../kernel/record.ts";
import type { Wake } from "../../kernel/unit.ts";
import type { NoticeReader } from "../notifications/undeliverable.ts";
import { unseenWorkspace, type WorkspaceOutcome, type WorkspaceKind } from "./kind.ts";
import type { RunningLimits } from "./request.ts";

type Workspace = Claimed<WorkspaceKind>;

/** What is true around it, and what is set. */
export interface KeptAbout {
  readonly slotAt: number | null;
  readonly pollMs: number;
  readonly limits: RunningLimits;
  readonly reader: NoticeReader;
  /** Who looks after the machines hears there of what cannot be mended by itself; null: nobody beside the owner. */
  readonly administrator: string | null;
  /** There was no place for one more to run: it stays asleep for now. */
  readonly isFull?: boolean;
  /** Tasks that waited for it and are not in the book any more. */
  readonly forgotten?: readonly string[];
}

/** Who is woken when it runs, or never will. */
export function wakesOf({ body }: Workspace, { forgotten = [] }: KeptAbout): readonly Wake[] {
  return body.waiting.filter((id) => !forgotten.includes(id)).map((id) => ({ id }));
}

export function outcomeOf({ outcome }: Workspace): WorkspaceOutcome {
  return outcome ?? unseenWorkspace;
}

/** What was claimed lives. */
export function liveOf({ state }: Workspace): "pending" | "standby" | "running" | "error" {
  return state === "standby" || state === "running" || state === "error" ? state : "pending";
}
