import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { target } from "../../kernel/target.ts";
import { errorInfo } from "./fault.ts";

/** What exists of a workspace, in order: nothing, its volume, a machine on its volume. */
export const levels = ["PENDING", "STANDBY", "RUNNING"] as const;
const level = z.enum(levels);
export type Level = z.output<typeof level>;

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

const machineLimits = z.strictObject({ memoryMb: z.number(), cpus: z.number(), pids: z.number() });
export type MachineLimits = z.output<typeof machineLimits>;

/** What was observed of a workspace. */
const outcome = z.strictObject({
  /** The operation at work; null: none (shown as NONE). */
  operation: z.enum(workspaceOperations).nullable(),
  operationStartedAt: moment.nullable(),
  /** How far the operation is, in a few words. */
  progress: z.string().nullable(),
  /** Of the archive that is being made, saved before its first byte. */
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
  /** The level that was chosen for it without a request. It is void once somebody asks again. */
  own: z
    .strictObject({ desired: level, asks: count, because: z.enum(["idle", "slot"]) })
    .nullable(),
  /** Why the last observation failed. What was observed before stands. */
  unseen: z.string().nullable(),
});
export type WorkspaceOutcome = z.output<typeof outcome>;

/** An environment for runs, kept at the level that was asked for. Its state is the level it was observed at. */
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
    /** The level that was asked for last, and the number of that request: 1, 2, 3 … */
    desired: level,
    asks: count,
    /** How long it may be idle before it goes to STANDBY, and from there into an archive. */
    standbyTtlSeconds: z.number(),
    archiveTtlSeconds: z.number(),
    /** How long before a slot of a schedule that runs in it, it is started. */
    wakeAheadSeconds: z.number(),
    /** Never falls. */
    lastAccessAt: moment,
    deletedAt: moment.nullable(),
    /** Tasks that wait until it runs: woken in the unit that says it does, or that it never will. */
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

/** Nothing was seen yet. */
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

/** Who looks after it: a node that reaches the place its machine and volume are in. */
export function workspaceQueue(place: string): `workspace@${string}` {
  return `workspace@${place}`;
}

export function isWorkspaceQueue(queue: string): boolean {
  return queue.startsWith(workspaceQueue(""));
}

export function stateOf(level: Level): "pending" | "standby" | "running" {
  return level === "PENDING" ? "pending" : level === "STANDBY" ? "standby" : "running";
}
