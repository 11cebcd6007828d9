import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { ErrorInfo } from "./fault.ts";

/** What exists of a workspace, in order: nothing, its volume, a machine on its volume. */
export const levels = ["PENDING", "STANDBY", "RUNNING"] as const;
export type Level = (typeof levels)[number];

/** What takes it from one level to the next. */
export const workspaceOperations = [
  "PROVISIONING",
  "RESTORING",
  "STARTING",
  "STOPPING",
  "ARCHIVING",
  "DELETING",
] as const;
export type WorkspaceOperation = (typeof workspaceOperations)[number];

/** A place where runs happen, held in the state that was asked for. Its state is the level it was seen at. */
export interface WorkspaceKind {
  name: "workspace";
  levelTriggered: true;
  body: {
    /** One of an owner's live ones has it. */
    name: string;
    description: string | null;
    memo: string | null;
    /** What its machine is made from; where machines are no containers, `local`. */
    imageRef: string;
    machine: MachineLimits;
    /** What was asked for last, and the how-manieth asking that was: 1, 2, 3 … */
    desired: Level;
    asks: number;
    /** Without being used it goes to STANDBY after so long, and from there into an archive. */
    standbyTtlSeconds: number;
    archiveTtlSeconds: number;
    /** So long before a slot of a schedule that runs in it, it is brought up. */
    wakeAheadSeconds: number;
    /** Rises only. */
    lastAccessAt: number;
    deletedAt: number | null;
    /** Tasks that wait until it runs: woken in the unit that says it does, or that it never will. */
    waiting: readonly string[];
    /** Where its owner hears of it. */
    target: string;
    origin: string | null;
  };
  outcome: WorkspaceOutcome;
  live: "pending" | "standby" | "running" | "error";
  end: "deleted" | "cancelled";
}

export const workspaceKind: Kind<WorkspaceKind> = defineKind({
  name: "workspace",
  states: {
    pending: ["standby", "running", "error", "deleted"],
    standby: ["pending", "running", "error", "deleted"],
    running: ["standby", "pending", "error", "deleted"],
    error: ["pending", "standby", "running", "deleted"],
  },
});

export interface MachineLimits {
  memoryMb: number;
  cpus: number;
  pids: number;
}

/** What was seen of it. */
export interface WorkspaceOutcome {
  /** What is being done; null: nothing (NONE, to those who ask). */
  operation: WorkspaceOperation | null;
  operationStartedAt: number | null;
  /** How far it is, in a few words. */
  progress: string | null;
  /** Of the archive that is being made, saved before its first byte. */
  opId: string | null;
  /** The archive that stands for its volume; saved after it was read back, before the volume goes. */
  archiveKey: string | null;
  /** The archive that its volume was wholly restored from. A volume made for another is no volume. */
  restoreMarker: string | null;
  errorInfo: ErrorInfo | null;
  errorCount: number;
  /** The level it had before ERROR. */
  previousStatus: Level | null;
  observedAt: number | null;
  /** The level that was chosen for it without being asked. It is void once somebody asked again. */
  own: { desired: Level; asks: number; because: "idle" | "slot" } | null;
  /** Why it could not be looked at the last time. What was seen before stands. */
  unseen: string | null;
}

/** Nothing was seen yet. */
export const unseenWorkspace: WorkspaceOutcome = {
  operation: null,
  operationStartedAt: null,
  progress: null,
  opId: null,
  archiveKey: null,
  restoreMarker: null,
  errorInfo: null,
  errorCount: 0,
  previousStatus: null,
  observedAt: null,
  own: null,
  unseen: null,
};

/** Who looks after it: a node that reaches the place its machine and volume are in. */
export function workspaceQueue(place: string): `workspace@${string}` {
  return `workspace@${place}`;
}

export function isWorkspaceQueue(queue: string): boolean {
  return queue.startsWith(workspaceQueue(""));
}
