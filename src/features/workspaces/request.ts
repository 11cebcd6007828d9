import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { checkWorkspace } from "./check.ts";
import { workspaceHold, workspaceSlots } from "./holds.ts";
import {
  unseenWorkspace,
  workspaceQueue,
  type Level,
  type MachineLimits,
  type WorkspaceKind,
} from "./kind.ts";
import { desiredOf } from "./plan.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** So many workspaces may run or be about to, of one owner and in all. */
export interface RunningLimits {
  readonly perOwner: number;
  readonly inAll: number;
}

export interface NewWorkspace {
  readonly owner: string;
  readonly name: string;
  readonly description?: string | null;
  readonly memo?: string | null;
  readonly imageRef: string;
  readonly machine: MachineLimits;
  readonly desired: Level;
  readonly standbyTtlSeconds: number;
  readonly archiveTtlSeconds: number;
  readonly wakeAheadSeconds: number;
  readonly target: string;
  readonly origin: string | null;
  /** A task that waits for it. */
  readonly waiting?: readonly string[];
}

export interface AskedAt {
  readonly now: number;
  readonly limits: RunningLimits;
}

/** Every workspace is made here, whoever asks for it. */
export function makeWorkspace(
  request: NewWorkspace,
  place: string,
  { now, limits }: AskedAt,
): DraftOf<WorkspaceKind> {
  const { owner, description = null, memo = null, waiting = [], ...given } = request;
  const body: WorkspaceKind["body"] = {
    ...given,
    description,
    memo,
    waiting,
    asks: 1,
    lastAccessAt: now,
    deletedAt: null,
  };
  checkWorkspace(body);
  return {
    kind: "workspace",
    queue: workspaceQueue(place),
    body,
    outcome: unseenWorkspace,
    state: "pending",
    wakeAt: 0,
    holds: holdsOf(owner, body.name, given.desired === "RUNNING" ? limits : undefined),
  };
}

function holdsOf(owner: string, name: string, limits: RunningLimits | undefined): readonly Hold[] {
  const own = workspaceHold(owner, name);
  return limits === undefined ? [own] : [own, ...workspaceSlots(owner, limits)];
}

/** It has a place among those that run for as long as it is to run, and for as long as it does or may. */
function hasPlace({ state, body, outcome }: Workspace): boolean {
  const isStarting = outcome?.operation === "STARTING";
  const ranBefore = state === "error" && outcome?.previousStatus === "RUNNING";
  const mayRun = state === "running" || isStarting || ranBefore;
  return mayRun || isToRun({ body, outcome });
}

function isToRun({ body, outcome }: Pick<Workspace, "body" | "outcome">): boolean {
  return desiredOf(body, outcome) === "RUNNING";
}

/** The names it holds from now on, if these are others than before: its place is taken and given back, never restated. */
export function placeChange(
  record: Workspace,
  after: Workspace,
  limits: RunningLimits,
): { holds?: readonly Hold[] } {
  // One that runs unasked may have none: whoever asks for it takes one, in any case.
  const isAskedAnew = isToRun(after) && !isToRun(record);
  if (hasPlace(record) === hasPlace(after) && !isAskedAnew) return {};
  const { owner, body } = after;
  return { holds: holdsOf(owner, body.name, hasPlace(after) ? limits : undefined) };
}

type Changed = Partial<WorkspaceKind["body"]>;

function edited(record: Workspace, changed: Changed, limits: RunningLimits): EditOf<WorkspaceKind> {
  const { id, revision } = record;
  const body = { ...record.body, ...changed };
  checkWorkspace(body);
  const places = placeChange(record, { ...record, body }, limits);
  return { kind: "workspace", id, ifRevision: revision, body, wakeAt: 0, ...places };
}

/** Somebody asks for a level. What was chosen without being asked counts no more. */
export function asksFor(
  record: Workspace,
  desired: Level,
  { now, limits }: AskedAt,
): EditOf<WorkspaceKind> {
  const { asks } = record.body;
  return edited(record, { desired, asks: asks + 1, ...usedAt(record, now) }, limits);
}

const waitingMax = 200;

/** A task asks for it to run, and is woken when it does. More than a few hundred look by themselves. */
export function waitsForWorkspace(
  record: Workspace,
  taskId: string,
  at: AskedAt,
): EditOf<WorkspaceKind> {
  const others = record.body.waiting.filter((id) => id !== taskId);
  // Whoever waited for an earlier start was woken by it.
  const before = record.state === "running" ? [] : others;
  const waiting = [...before.slice(-waitingMax), taskId];
  const { asks } = record.body;
  const changed = {
    desired: "RUNNING",
    asks: asks + 1,
    waiting,
    ...usedAt(record, at.now),
  } as const;
  return edited(record, changed, at.limits);
}

/** What a person says of it beside its level. */
export function describes(
  record: Workspace,
  changed: Pick<
    Changed,
    "description" | "memo" | "standbyTtlSeconds" | "archiveTtlSeconds" | "wakeAheadSeconds"
  >,
  { now, limits }: AskedAt,
): EditOf<WorkspaceKind> {
  return edited(record, { ...changed, ...usedAt(record, now) }, limits);
}

/** A name that is taken is refused by the hold of it. */
export function renamed(
  record: Workspace,
  name: string,
  { limits }: AskedAt,
): EditOf<WorkspaceKind> {
  const edit = edited(record, { name }, limits);
  return { ...edit, holds: holdsOf(record.owner, name, hasPlace(record) ? limits : undefined) };
}

/** How much newer a use must be to be written: a minute of sleep more or less is nobody's concern. */
const useGapMs = 10_000;

/** Somebody uses it; undefined: that is known already. Uses come in any order, and the time only rises. */
export function touched(
  record: Workspace,
  now: number,
  limits: RunningLimits,
): EditOf<WorkspaceKind> | undefined {
  if (now - record.body.lastAccessAt < useGapMs) return undefined;
  return edited(record, usedAt(record, now), limits);
}

function usedAt({ body }: Workspace, now: number): { lastAccessAt: number } {
  return { lastAccessAt: Math.max(body.lastAccessAt, now) };
}

/** It is tried again from where it was before ERROR. What was saved of an archive stays. */
export function recovered(record: Workspace): EditOf<WorkspaceKind> {
  const { id, revision, state } = record;
  const outcome = record.outcome ?? unseenWorkspace;
  if (state !== "error") {
    throw new DaybookError("invalid", "It is not in ERROR: there is nothing to recover.", {
      details: { state },
    });
  }
  return {
    kind: "workspace",
    id,
    ifRevision: revision,
    state: stateOf(outcome.previousStatus ?? "PENDING"),
    outcome: {
      ...outcome,
      previousStatus: null,
      operation: null,
      operationStartedAt: null,
      progress: null,
      errorInfo: null,
      errorCount: 0,
    },
    wakeAt: 0,
    note: "recovered: it is tried again",
  };
}

/** All of it goes: its machine, its volume, and after a while its archives. */
export function deleted(record: Workspace, now: number): EditOf<WorkspaceKind> {
  const { id, revision, body } = record;
  return {
    kind: "workspace",
    id,
    ifRevision: revision,
    body: { ...body, deletedAt: body.deletedAt ?? now },
    wakeAt: 0,
    note: "deleted",
  };
}

export function stateOf(level: Level): "pending" | "standby" | "running" {
  return level === "PENDING" ? "pending" : level === "STANDBY" ? "standby" : "running";
}
