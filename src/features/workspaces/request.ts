import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import {
  type RunningLimits,
  type RequestContext,
  holdsOf,
  needsCapacity,
  capacityChange,
} from "./capacity.ts";
import { checkWorkspace } from "./draft.ts";
import {
  unobservedWorkspace,
  type Level,
  type WorkspaceKind,
  stateOf,
  workspaceKind,
} from "./kind.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

type Changed = Partial<WorkspaceKind["body"]>;

function edited(record: Workspace, changed: Changed, limits: RunningLimits): EditOf<WorkspaceKind> {
  const { id, revision } = record;
  const body = { ...record.body, ...changed };
  checkWorkspace(body);
  const places = capacityChange(record, { ...record, body }, limits);
  return { kind: "workspace", id, ifRevision: revision, body, wakeAt: 0, ...places };
}

/** Requests a level. A level that was chosen before is void. */
export function requestLevel(
  record: Workspace,
  desired: Level,
  { now, limits }: RequestContext,
): EditOf<WorkspaceKind> {
  const { asks } = record.body;
  return edited(record, { desired, asks: asks + 1, ...usedAt(record, now) }, limits);
}

const waitingMax = 200;

/** A task requests that it runs, and is woken when it does. Beyond a few hundred they poll. */
export function requestForTask(
  record: Workspace,
  taskId: string,
  at: RequestContext,
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

/** Changes what is set beside its level. */
export function describes(
  record: Workspace,
  changed: Pick<
    Changed,
    "description" | "memo" | "standbyTtlSeconds" | "archiveTtlSeconds" | "wakeAheadSeconds"
  >,
  { now, limits }: RequestContext,
): EditOf<WorkspaceKind> {
  return edited(record, { ...changed, ...usedAt(record, now) }, limits);
}

/** A name that is taken is refused by the hold of it. */
export function renamed(
  record: Workspace,
  name: string,
  { limits }: RequestContext,
): EditOf<WorkspaceKind> {
  const edit = edited(record, { name }, limits);
  return {
    ...edit,
    holds: holdsOf(record.owner, name, needsCapacity(record) ? limits : undefined),
  };
}

/** How much newer a use must be to be written: sleeping a few seconds sooner does no harm. */
const useGapMs = 10_000;

/** Records a use; undefined: it is recorded already. Uses come in any order, and the time only rises. */
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
  const outcome = record.outcome ?? unobservedWorkspace;
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

interface InUseOptions {
  ledger: Ledger;
  now(): number;
  limits(): RunningLimits;
}

/** Records that a workspace is in use, so that it is not put to sleep. */
export function inUse({
  ledger,
  now,
  limits,
}: InUseOptions): (who: { owner: string; by: string }, id: string) => Promise<void> {
  return async ({ owner, by }, id) => {
    const book = ledger.of(owner, by);
    const record = await book.get(id);
    if (!is(workspaceKind, record) || record.endedAt !== null) return;
    const edit = touched(record, now(), limits());
    // Whoever changed it meanwhile used it too, or requested a level: that stands.
    if (edit !== undefined) await book.edit(edit);
  };
}
