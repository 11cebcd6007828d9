import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Ids } from "../../platform/ids.ts";
import { openUnit, storeUnit, verifyUnit } from "./archive-unit.ts";
import { type Archives, archiveKeyOf } from "./archives.ts";
import type { WorkspaceOperation, WorkspaceOutcome, WorkspaceKind } from "./kind.ts";
import type { Machines } from "./machines.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

export interface OperatingOptions {
  machines: Machines;
  archives: Archives;
  newOpId: Ids;
}

/** What an operation may use of its lease. */
export interface OperationContext {
  readonly signal: AbortSignal;
  /** Written down before it goes on. Throws when the lease is lost. */
  save(outcome: WorkspaceOutcome): Promise<void>;
  /** Throws unless the lease is surely ours still: to be asked before anything is destroyed. */
  trust(): void;
  progress(text: string): void;
}

type Operate = (
  record: Workspace,
  outcome: WorkspaceOutcome,
  context: OperationContext,
) => Promise<WorkspaceOutcome>;

/**
 * Does what an operation is made of, in an order in which it may be cut off anywhere and made again: nothing is destroyed
 * whose archive was not read back and written down. Answers what was saved. Whether it helped is for who looks then.
 */
export function operating(
  options: OperatingOptions,
): Readonly<Record<WorkspaceOperation, Operate>> {
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
      const { imageRef, machine: limits } = body;
      trust();
      await machines.start({ id, owner, imageRef, limits }, { signal, progress });
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

/** Into a fresh volume each time; it counts from the moment in which it is written that it is whole. */
async function restore(
  { machines, archives }: OperatingOptions,
  { id, owner }: Workspace,
  outcome: WorkspaceOutcome,
  { signal, save, trust }: OperationContext,
): Promise<WorkspaceOutcome> {
  const { archiveKey } = outcome;
  if (archiveKey === null) {
    throw new DaybookError("bug", "There is no archive that it could be restored from.");
  }
  // What is wrong with an archive is known before anything is written.
  await verifyUnit(archives, archiveKey, signal);
  const tar = await openUnit(archives, archiveKey, signal);
  trust();
  await machines.volumes.restore({ id, owner, marker: archiveKey }, tar, signal);
  const restored = { ...outcome, restoreMarker: archiveKey };
  await save(restored);
  return restored;
}

async function archive(
  { machines, archives, newOpId }: OperatingOptions,
  { id }: Workspace,
  before: WorkspaceOutcome,
  { signal, save, trust }: OperationContext,
): Promise<WorkspaceOutcome> {
  const { machine, volume } = await machines.look(id, signal);
  trust();
  await machines.remove(id, signal); // also one that has stopped: it holds the volume
  const isKept = before.opId !== null && before.archiveKey === archiveKeyOf(id, before.opId);
  // Whatever ran since may have written something.
  const isStored = isKept && machine === null;
  let outcome = before;
  if (isStored) {
    if (volume === null) return outcome;
  } else {
    // Never the one of an attempt that was cut off: whoever made that may still be writing to it.
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

/** What is written down before an attempt at an operation: one that was begun goes on, another begins now. */
export function begun(
  outcome: WorkspaceOutcome,
  operation: WorkspaceOperation,
  now: number,
): WorkspaceOutcome {
  const goesOn = outcome.operation === operation;
  return {
    ...outcome,
    ...(goesOn ? {} : { operation, operationStartedAt: now, progress: null }),
    // What an earlier restore was whole by says nothing of one that is made anew.
    ...(operation === "RESTORING" ? { restoreMarker: null } : {}),
    // An archive from before the last run is not one of what is there now.
    ...(operation === "ARCHIVING" && !goesOn ? { opId: null } : {}),
  };
}
