import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { target } from "../../kernel/target.ts";
import { errorInfo } from "./error-info.ts";

/** What exists of a workspace, in order: nothing, its volume, a machine on its volume. */
export const levels = ["PENDING", "STANDBY", "RUNNING"] as const;
const level = z.enum(levels);
export type Level = z.output<typeof level>;

/** The operations that take a workspace from one level to the next. */
export const workspaceOperations = [
  "PROVISIONING",
  "RESTORING",
  "STARTING",
  "STOPPING",
  "ARCHIVING",
  "DELETING",
] as const;
export type WorkspaceOperation = (typeof workspaceOperations)[number];

const machineLimits = z.strictObject({ memoryMb: z.number(), cpus: z.number(), pids: z.number() });
export type MachineLimits = z.output<typeof machineLimits>;

/** What was observed of a workspace. */
const outcome = z.strictObject({
  /** The current operation; null: none (shown as NONE). */
  operation: z.enum(workspaceOperations).nullable(),
  operationStartedAt: moment.nullable(),
  /** The progress of the operation, in a few words. */
  progress: z.string().nullable(),
  /** The id of the archive that is being made, saved before its first byte. */
  opId: z.string().nullable(),
  /** The archive that replaces its volume; saved after it was read back, before the volume is deleted. */
  archiveKey: z.string().nullable(),
  /** The archive that its volume was completely restored from. A volume made for another one does not count. */
  restoreMarker: z.string().nullable(),
  errorInfo: errorInfo.nullable(),
  errorCount: count,
  /** The level it had before ERROR. */
  previousStatus: level.nullable(),
  observedAt: moment.nullable(),
  /** The level that was chosen without a request. The next request makes it void. */
  own: z
    .strictObject({ desired: level, asks: count, because: z.enum(["idle", "slot"]) })
    .nullable(),
  /** Why the last observation failed. What was observed before stands. */
  unseen: z.string().nullable(),
});
export type WorkspaceOutcome = z.output<typeof outcome>;

/** An environment for runs, reconciled with the requested level. Its state is the observed level. */
export const workspaceKind = defineKind({
  name: "workspace",
  levelTriggered: true,
  body: z.strictObject({
    /** Unique among the owner's live workspaces. */
    name: z.string(),
    description: z.string().nullable(),
    memo: z.string().nullable(),
    /** The image of its machine; `local` where machines are not containers. */
    imageRef: z.string(),
    machine: machineLimits,
    /** The last requested level, and the number of that request: 1, 2, 3 … */
    desired: level,
    asks: count,
    /** How long it may be idle before it sleeps (STANDBY), and before it is archived. */
    standbyTtlSeconds: z.number(),
    archiveTtlSeconds: z.number(),
    /** How long before the slot of a schedule that runs in it the workspace is started. */
    wakeAheadSeconds: z.number(),
    /** The last use; it only rises. */
    lastAccessAt: moment,
    deletedAt: moment.nullable(),
    /** Tasks that wait until it runs. The unit that records RUNNING or ERROR wakes them. */
    waiting: z.array(z.string()).readonly(),
    /** Where its owner is notified. */
    target,
    origin: z.string().nullable(),
  }),
  outcome,
  states: {
    pending: ["standby", "running", "error", "deleted"],
    standby: ["pending", "running", "error", "deleted"],
    running: ["standby", "pending", "error", "deleted"],
    error: ["pending", "standby", "running", "deleted"],
  },
});
export interface WorkspaceKind extends KindOf<typeof workspaceKind> {}

/** The outcome before the first observation. */
export const unobservedWorkspace: WorkspaceOutcome = {
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

/** The queue of the nodes that reach the machines of this location. */
export function workspaceQueue(location: string): `workspace@${string}` {
  return `workspace@${location}`;
}

export function isWorkspaceQueue(queue: string): boolean {
  return queue.startsWith(workspaceQueue(""));
}

export function stateOf(level: Level): "pending" | "standby" | "running" {
  return level === "PENDING" ? "pending" : level === "STANDBY" ? "standby" : "running";
}
