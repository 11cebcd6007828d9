import { DaybookError } from "../platform/errors.ts";
import type { LedgerRecord } from "./record.ts";
import type { Draft, Edit } from "./unit.ts";

// The errors of all stores, with the same text in each.

export function notFound(id: string): DaybookError {
  const sentence = `There is no record ${id} in this book.`;
  return new DaybookError("not_found", sentence, { details: { id } });
}

/** `holder` is null when it belongs to another owner. */
export function held(name: string, holder: string | null, cause?: DaybookError): DaybookError {
  const by = holder === null ? "another record" : `the record ${holder}`;
  const details = holder === null ? { name } : { name, holder };
  return new DaybookError("held", `"${name}" is held by ${by}: wait until that ends.`, {
    cause,
    details,
  });
}

export function keyTaken(name: string, id: string): DaybookError {
  const sentence = `The key "${name}" was used for another request, the record ${id}: use another key.`;
  return new DaybookError("conflict", sentence, { details: { id } });
}

function idTaken(id: string): DaybookError {
  const sentence = `The id ${id} is taken: leave it out, and the store creates one.`;
  return new DaybookError("conflict", sentence, { details: { id } });
}

/**
 * An existing id means that the same request was repeated after a lost answer. Throws when the record has another
 * owner, kind or key.
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
  const sentence = `"after" must be the cursor of an earlier page; got "${after}".`;
  return new DaybookError("invalid", sentence);
}

export function ledgerClosed(): DaybookError {
  return new DaybookError("closed", "The ledger is closed: open it again.");
}

interface Found extends Pick<LedgerRecord, "id" | "kind" | "revision" | "endedAt"> {
  readonly state: string;
}

/** Throws when the record is not at the edit's revision, or may not be edited. */
export function checkEditable(found: Found, edit: Edit, isLeased: boolean): void {
  const { id, kind, state, revision } = found;
  if (kind !== edit.kind) throw notFound(id);
  if (found.endedAt !== null) {
    const sentence = `The record ${id} has ended (${state}): it never changes again.`;
    throw new DaybookError("ended", sentence, { details: { state } });
  }
  if ((edit.ifRevision ?? revision) !== revision) throw revisionChanged(found);
  if ("ends" in edit && isLeased) {
    const sentence = `The record ${id} is leased by a worker: cancel it, or wait until it is settled.`;
    throw new DaybookError("leased", sentence);
  }
}

export function revisionChanged({ id, revision, state }: Found): DaybookError {
  const sentence = `The record ${id} has changed: read it again and repeat the request.`;
  return new DaybookError("stale", sentence, { details: { revision, state } });
}
