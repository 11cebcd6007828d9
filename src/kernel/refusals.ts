import { DaybookError } from "../platform/errors.ts";
import type { LedgerRecord } from "./record.ts";
import type { Draft, Edit } from "./unit.ts";

// The errors of all stores, with the same text in each.

export function notFound(id: string): DaybookError {
  const sentence = `There is no record ${id} in this book.`;
  return new DaybookError("not_found", sentence, { details: { id } });
}

/** `holder` is null when the caller may not know it. */
export function held(name: string, holder: string | null, cause?: DaybookError): DaybookError {
  const by = holder === null ? "another record" : `the record ${holder}`;
  const details = holder === null ? { name } : { name, holder };
  return new DaybookError("held", `"${name}" is held by ${by}: wait for its end.`, {
    cause,
    details,
  });
}

export function keyTaken(name: string, id: string): DaybookError {
  const sentence = `The key "${name}" stands for something else, the record ${id}: use another key.`;
  return new DaybookError("conflict", sentence, { details: { id } });
}

function idTaken(id: string): DaybookError {
  const sentence = `The id ${id} is taken: let the store make one.`;
  return new DaybookError("conflict", sentence, { details: { id } });
}

/**
 * An id that exists means the same request was repeated after a lost answer. Throws when the record belongs to
 * another owner, kind or key.
 */
export function checkSameRequest(
  found: Pick<LedgerRecord, "id" | "owner" | "kind" | "key">,
  owner: string,
  { kind, key }: Draft,
): void {
  const isSame = found.kind === kind && found.key === (key?.name ?? null);
  if (found.owner !== owner || !isSame) throw idTaken(found.id);
}

export function invalidCursor(after: string): DaybookError {
  const sentence = `"after" must be what an earlier answer gave; got "${after}".`;
  return new DaybookError("invalid", sentence);
}

export function ledgerClosed(): DaybookError {
  return new DaybookError("closed", "The ledger is closed: open it again.");
}

interface Found extends Pick<LedgerRecord, "id" | "kind" | "revision" | "endedAt"> {
  readonly state: string;
}

/** Throws when the record is not in the revision that the edit names, or may not be edited. */
export function checkEditable(found: Found, edit: Edit, isLeased: boolean): void {
  const { id, kind, state, revision } = found;
  if (kind !== edit.kind) throw notFound(id);
  if (found.endedAt !== null) {
    const sentence = `The record ${id} has ended (${state}): it never changes again.`;
    throw new DaybookError("ended", sentence, { details: { state } });
  }
  if ((edit.ifRevision ?? revision) !== revision) throw hasChanged(found);
  if ("ends" in edit && isLeased) {
    const sentence = `Somebody is at work on ${id}: cancel it, or wait until it is settled.`;
    throw new DaybookError("leased", sentence);
  }
}

export function hasChanged({ id, revision, state }: Found): DaybookError {
  const sentence = `The record ${id} has changed: read it and ask again.`;
  return new DaybookError("stale", sentence, { details: { revision, state } });
}
