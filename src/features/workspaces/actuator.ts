import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Ids } from "../../platform/ids.ts";
import { openUnit, storeUnit, verifyUnit } from "./archive-unit.ts";
import { type Archives, archiveKeyOf } from "./archives.ts";
import type { WorkspaceOperation, WorkspaceOutcome, WorkspaceKind } from "./kind.ts";
import type { Machines } from "./machines.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

export interface ActuatorOptions {
  machines: Machines;
  archives: Archives;
  newOpId: Ids;
}

/** What an operation may use during an attempt. */
export interface OperationContext {
  readonly signal: AbortSignal;
  /** Saves the outcome before the operation continues. Throws when the lease is lost. */
  save(outcome: WorkspaceOutcome): Promise<void>;
  /** Throws unless this node certainly holds the lease. Called before anything is destroyed. */
  trust(): void;
  progress(text: string): void;
}

type Operate = (
  record: Workspace,
  outcome: WorkspaceOutcome,
  context: OperationContext,
) => Promise<WorkspaceOutcome>;

/**
 * The steps of each operation, in an order that allows a crash and a repeat at any point: nothing is destroyed before its
 * archive was read back and recorded. Returns the saved outcome; the next observation decides whether it worked.
 */
export function actuator(options: ActuatorOptions): Readonly<Record<WorkspaceOperation, Operate>> {
  const { machines } = options;
  const { volumes } = machines;
  return {
    async PROVISIONING({ id, owner }, outcome, { signal }) {
      await volumes.provision({ id, owner }, signal);
      return outcome;
    },
    async RESTORING(record, outcome, context) {
      return restore(options, record, outcome, context);
    },
    async STARTING({ id, owner, body }, outcome, { signal, progress, trust }) {
      const { imageRef, name, machine: limits } = body;
      trust();
      await machines.start({ id, name, owner, imageRef, limits }, { signal, progress });
      return outcome;
    },
    async STOPPING({ id }, outcome, { signal, trust }) {
      trust();
      await machines.remove(id, signal);
      return outcome;
    },
    async ARCHIVING(record, outcome, context) {
      return archive(options, record, outcome, context);
    },
    async DELETING({ id }, outcome, { signal, trust }) {
      trust();
      await machines.remove(id, signal);
      trust();
      await volumes.remove(id, signal);
      return outcome;
    },
  };
}

/** Restores into a new volume each time, which counts once its marker is recorded. */
async function restore(
  { machines, archives }: ActuatorOptions,
  { id, owner }: Workspace,
  outcome: WorkspaceOutcome,
  { signal, save, trust }: OperationContext,
): Promise<WorkspaceOutcome> {
  const { archiveKey } = outcome;
  if (archiveKey === null) {
    throw new DaybookError("bug", "The workspace has no archive to restore from.");
  }
  // A damaged archive is found before anything is written.
  await verifyUnit(archives, archiveKey, signal);
  const tar = await openUnit(archives, archiveKey, signal);
  trust();
  await machines.volumes.restore({ id, owner, marker: archiveKey }, tar, signal);
  const restored = { ...outcome, restoreMarker: archiveKey };
  await save(restored);
  return restored;
}

async function archive(
  { machines, archives, newOpId }: ActuatorOptions,
  { id }: Workspace,
  before: WorkspaceOutcome,
  { signal, save, trust }: OperationContext,
): Promise<WorkspaceOutcome> {
  const { machine, volume } = await machines.inspect(id, signal);
  trust();
  await machines.remove(id, signal); // a stopped machine holds the volume too
  const isKept = before.opId !== null && before.archiveKey === archiveKeyOf(id, before.opId);
  // A machine that still exists may have written since.
  const isStored = isKept && machine === null;
  let outcome = before;
  if (isStored) {
    if (volume === null) return outcome;
  } else {
    // Never the archive of an earlier attempt: its node may still be writing to it.
    const opId = newOpId();
    outcome = { ...before, opId };
    await save(outcome);
    const archiveKey = archiveKeyOf(id, opId);
    await storeUnit(archives, archiveKey, await machines.volumes.read(id, signal), signal);
    outcome = { ...outcome, archiveKey };
    await save(outcome);
  }
  await verifyUnit(archives, archiveKeyOf(id, outcome.opId ?? ""), signal);
  trust();
  await machines.volumes.remove(id, signal);
  return outcome;
}

/** The outcome to save before an attempt at an operation: it continues, or starts now. */
export function startedOutcome(
  outcome: WorkspaceOutcome,
  operation: WorkspaceOperation,
  now: number,
): WorkspaceOutcome {
  const isNew = outcome.operation !== operation;
  return {
    ...outcome,
    operation,
    operationStartedAt: isNew ? now : outcome.operationStartedAt,
    progress: isNew ? null : outcome.progress,
    // The marker of an earlier restore says nothing about a new one.
    restoreMarker: operation === "RESTORING" ? null : outcome.restoreMarker,
    // An archive from before the last run does not hold the current data.
    opId: operation === "ARCHIVING" && isNew ? null : outcome.opId,
  };
}
