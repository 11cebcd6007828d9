import { notFound } from "../../kernel/ledger-errors.ts";
import type { Change } from "../../kernel/query.ts";
import type { Leased, Write as Chunk } from "../../kernel/work-unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { addDue, removeDue, type DueIndex } from "./due-index.ts";
import { isClaimed, isDueRow, type ClaimedRow, type DueRow, type Row } from "./row.ts";

/** The store: its tables, the time of the running call, and its undo log. */
export interface Model {
  readonly ids: Ids;
  /** Read once per call. */
  now: number;
  /** By id, in the order of appending. */
  readonly rows: Map<string, Row>;
  /** An index of `rows`: the record that holds a name. */
  readonly names: Map<string, string>;
  /** An index of `rows`. */
  readonly due: DueIndex;
  readonly keys: Map<string, KeyEntry>;
  /** In commit order. */
  history: Entry[];
  /** By record and stream. */
  readonly output: Map<string, Streams>;
  /** Queues in which something may have become due. */
  readonly hints: Set<string>;
  /** The writes of the running call (or group of calls), newest last. */
  readonly writes: Write[];
  seq: number;
}

interface Write {
  /** Undefined: it changed no table, only an index. */
  readonly fact: Fact | undefined;
  undo(): void;
}

/** A change of a table. Replaying all facts in order restores the tables. */
export type Fact =
  | { readonly what: "row"; readonly row: Row }
  | { readonly what: "gone"; readonly id: string } // stored in journals
  | { readonly what: "change"; readonly entry: Entry }
  | { readonly what: "key"; readonly name: string; readonly entry: KeyEntry | null }
  | { readonly what: "bytes"; readonly chunk: Added };

/** Bytes at the end of a stream. */
export type Added = Pick<Chunk, "id" | "stream" | "bytes">;

/** The first `size` of these bytes. The rest is reserved space. */
export interface Stream {
  readonly bytes: Uint8Array;
  readonly size: number;
}

type Streams = Map<string, Stream>;

export interface KeyEntry {
  readonly id: string;
  readonly hash: string;
  readonly until: number | null;
}

interface Entry {
  readonly seq: number;
  readonly owner: string;
  readonly change: Change;
}

export function newModel(ids: Ids): Model {
  return {
    ids,
    now: 0,
    seq: 0,
    rows: new Map(),
    names: new Map(),
    due: new Map(),
    keys: new Map(),
    history: [],
    output: new Map(),
    hints: new Set(),
    writes: [],
  };
}

/** All or nothing: when `write` throws, all of its writes are undone. */
export function unit<T>(model: Model, write: () => T): T {
  const start = model.writes.length;
  try {
    return write();
  } catch (error) {
    rollBack(model, start);
    throw error;
  }
}

/** Undoes all but the first `count` writes, the newest first. */
export function rollBack(model: Model, count: number): void {
  while (model.writes.length > count) model.writes.pop()?.undo();
}

export function logWrite(model: Model, fact: Fact | undefined, undo: () => void): void {
  model.writes.push({ fact, undo });
}

/** The owner's row. Undefined for another owner's. */
export function lookUp(model: Model, owner: string, id: string): Row | undefined {
  const row = model.rows.get(id);
  return row?.owner === owner ? row : undefined;
}

/** Throws `not_found`. */
export function find(model: Model, owner: string, id: string): Row {
  const row = lookUp(model, owner, id);
  if (row) return row;
  throw notFound(id);
}

/** The row, if the fence is that of its newest lease, not yet settled. */
export function findLeased(model: Model, { id, fence }: Leased): ClaimedRow | undefined {
  const row = model.rows.get(id);
  return row && isClaimed(row) && row.fence === fence ? row : undefined;
}

export function nextSeq(model: Model): number {
  model.seq += 1;
  return model.seq;
}

/** Puts a row in place of the one with its id, if there is one. */
export function put(model: Model, row: Row): void {
  const before = model.rows.get(row.id);
  replaceRow(model, before, row);
  logWrite(model, { what: "row", row }, () => replaceRow(model, row, before));
  if (isDueRow(row) && isSooner(row, before)) hint(model, row.queue);
}

/** Puts a row after a visible change, with its entry in the history. */
export function putChanged(model: Model, row: Row, entry: NewEntry): Row {
  const next = { ...row, updatedAt: model.now };
  put(model, next);
  const { id, kind, state, revision, attempt } = next;
  const { note = null, ...more } = entry;
  const blank = { id, kind, state, revision, attempt, at: model.now, claimedAt: null };
  const change = { ...blank, ...more, note };
  const written = { seq: nextSeq(model), owner: row.owner, change };
  model.history.push(written);
  logWrite(model, { what: "change", entry: written }, () => model.history.pop());
  return next;
}

type NewEntry = Pick<Change, "what" | "by"> &
  Partial<Pick<Change, "claimedAt" | "attempt">> & { note?: string | undefined };

/** Ends the row's lease, if it has one, as lapsed: the result of that attempt is unknown. */
export function lapse(model: Model, row: Row): Row {
  if (!isClaimed(row)) return row;
  const { holder, claimedAt } = row.lease;
  const lapsed = { ...row, lapses: row.lapses + 1, lease: null };
  return putChanged(model, lapsed, { what: "lapsed", by: holder, claimedAt });
}

/** Replaces a key's entry; null frees the key. */
export function putKey(model: Model, name: string, entry: KeyEntry | null): void {
  const before = model.keys.get(name) ?? null;
  setKey(model, name, entry);
  logWrite(model, { what: "key", name, entry }, () => setKey(model, name, before));
}

export function setKey({ keys }: Model, name: string, entry: KeyEntry | null): void {
  if (entry === null) keys.delete(name);
  else keys.set(name, entry);
}

/** Puts one row where another was (or none), in the table and in its indexes. */
export function replaceRow(model: Model, before: Row | undefined, after: Row | undefined): void {
  for (const name of before?.holds ?? []) model.names.delete(name);
  if (before && isDueRow(before)) removeDue(model.due, before);
  if (before && !after) model.rows.delete(before.id);
  if (!after) return;
  model.rows.set(after.id, after);
  for (const name of after.holds) model.names.set(name, after.id);
  if (isDueRow(after)) addDue(model.due, after);
}

function isSooner(row: DueRow, before: Row | undefined): boolean {
  if (!before || !isDueRow(before) || before.queue !== row.queue) return true;
  return row.wakeAt < before.wakeAt;
}

function hint(model: Model, queue: string): void {
  if (model.hints.has(queue)) return;
  model.hints.add(queue);
  logWrite(model, undefined, () => model.hints.delete(queue));
}
