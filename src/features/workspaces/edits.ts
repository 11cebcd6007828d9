import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
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

type Changes = Partial<WorkspaceKind["body"]>;

function editWith(
  record: Workspace,
  changes: Changes,
  limits: RunningLimits,
): EditOf<WorkspaceKind> {
  const { id, revision } = record;
  const body = { ...record.body, ...changes };
  checkWorkspace(body);
  const holds = capacityChange(record, { ...record, body }, limits);
  return present({ kind: "workspace", id, ifRevision: revision, body, wakeAt: 0, holds });
}

/** Requests a level. A level that was chosen before is void. */
export function levelEdit(
  record: Workspace,
  desired: Level,
  { now, limits }: RequestContext,
): EditOf<WorkspaceKind> {
  const { asks } = record.body;
  return editWith(record, { desired, asks: asks + 1, ...usedAt(record, now) }, limits);
}

const waitingMax = 200;

/** Requests that it runs, and wakes the task when it does. Beyond the newest few hundred, tasks poll. */
export function taskRequestEdit(
  record: Workspace,
  taskId: string,
  at: RequestContext,
): EditOf<WorkspaceKind> {
  const others = record.body.waiting.filter((id) => id !== taskId);
  // Tasks that waited for an earlier start were woken by it.
  const before = record.state === "running" ? [] : others;
  const waiting = [...before.slice(-waitingMax), taskId];
  const { asks } = record.body;
  const request = { desired: "RUNNING", asks: asks + 1, waiting } as const;
  return editWith(record, { ...request, ...usedAt(record, at.now) }, at.limits);
}

/** Changes its settings, but not its level. */
export function settingsEdit(
  record: Workspace,
  changes: Pick<
    Changes,
    "description" | "memo" | "standbyTtlSeconds" | "archiveTtlSeconds" | "wakeAheadSeconds"
  >,
  { now, limits }: RequestContext,
): EditOf<WorkspaceKind> {
  return editWith(record, { ...changes, ...usedAt(record, now) }, limits);
}

/** The hold refuses a name that is taken. */
export function renameEdit(
  record: Workspace,
  name: string,
  { limits }: RequestContext,
): EditOf<WorkspaceKind> {
  const edit = editWith(record, { name }, limits);
  return {
    ...edit,
    holds: holdsOf(record.owner, name, needsCapacity(record) ? limits : undefined),
  };
}

/** How much newer a use must be to be written: to sleep a few seconds early does no harm. */
const useGapMs = 10_000;

/** Records a use; undefined: it is recorded already. Uses come in any order, and the time only rises. */
export function touchEdit(
  record: Workspace,
  now: number,
  limits: RunningLimits,
): EditOf<WorkspaceKind> | undefined {
  if (now - record.body.lastAccessAt < useGapMs) return undefined;
  return editWith(record, usedAt(record, now), limits);
}

function usedAt({ body }: Workspace, now: number): { lastAccessAt: number } {
  return { lastAccessAt: Math.max(body.lastAccessAt, now) };
}

/** Takes it from ERROR back to its level before. Saved archives stay. */
export function recoveryEdit(record: Workspace): EditOf<WorkspaceKind> {
  const { id, revision, state } = record;
  const outcome = record.outcome ?? unobservedWorkspace;
  if (state !== "error") {
    throw new DaybookError(
      "invalid",
      `The workspace is ${state}, not in ERROR: there is nothing to recover.`,
      {
        details: { state },
      },
    );
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

/** Deletes all of it: its machine, its volume, and after a while its archives. */
export function deletionEdit(record: Workspace, now: number): EditOf<WorkspaceKind> {
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
    const edit = touchEdit(record, now(), limits());
    // A change that came first was a use too, or a request, and stays.
    if (edit !== undefined) await book.edit(edit);
  };
}
