import type { Ids } from "../../base/ids.ts";
import type { Priority } from "../../rules/record.ts";
import type { Change } from "../reading.ts";
import { isDueRow, type DueRow, type Row } from "./row.ts";
import { putOn, takeOff, type Shelf } from "./shelf.ts";

/** The store: its tables, the time of the running call, and how to take its writes back. */
export interface Model {
  readonly ids: Ids;
  /** Read once per call. */
  now: number;
  /** By id, in the order of appending. */
  readonly rows: Map<string, Row>;
  /** Made from `rows`: whose a held name is. */
  readonly names: Map<string, string>;
  /** Made from `rows`: the due rows of a queue, and those of each of its lanes. */
  readonly shelves: Map<string, Shelves>;
  readonly keys: Map<string, KeyEntry>;
  /** In commit order. */
  history: Entry[];
  /** Bytes, by record and stream. */
  readonly output: Map<string, Map<string, Uint8Array>>;
  /** Queues in which something may have become due. */
  readonly hints: Set<string>;
  /** What takes back the running call, newest last. */
  readonly undo: (() => void)[];
  seq: number;
}

export type Shelves = Readonly<Record<Priority, Shelf>>;

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
    shelves: new Map(),
    keys: new Map(),
    history: [],
    output: new Map(),
    hints: new Set(),
    undo: [],
  };
}

/** All or nothing: when `write` throws, everything it wrote is taken back. */
export function unit<T>(model: Model, write: () => T): T {
  const start = model.undo.length;
  try {
    return write();
  } catch (error) {
    while (model.undo.length > start) model.undo.pop()?.();
    throw error;
  }
}

export function nextSeq(model: Model): number {
  model.seq += 1;
  return model.seq;
}

/** Puts a row in place of the one with its id, if there is one. */
export function put(model: Model, row: Row): void {
  const before = model.rows.get(row.id);
  swap(model, before, row);
  model.undo.push(() => swap(model, row, before));
  if (isDueRow(row) && isSooner(row, before)) hint(model, row.queue);
}

/** A visible change: puts the row, and writes what happened to it. */
export function enter(model: Model, row: Row, happened: Happened): Row {
  const next = { ...row, updatedAt: model.now };
  put(model, next);
  const { id, kind, state, revision, attempt } = next;
  const { note = null, ...more } = happened;
  const blank = { id, kind, state, revision, attempt, at: model.now, claimedAt: null };
  model.history.push({
    seq: nextSeq(model),
    owner: row.owner,
    change: { ...blank, ...more, note },
  });
  model.undo.push(() => model.history.pop());
  return next;
}

type Happened = Pick<Change, "what" | "by"> &
  Partial<Pick<Change, "claimedAt" | "attempt">> & { note?: string | undefined };

export function putKey(model: Model, name: string, entry: KeyEntry): void {
  const before = model.keys.get(name);
  model.keys.set(name, entry);
  model.undo.push(() => (before ? model.keys.set(name, before) : model.keys.delete(name)));
}

/** The due rows of a queue, or of one lane of it. */
export function shelvesOf(model: Model, queue: string, lane: string | null): Shelves {
  const name = JSON.stringify([queue, lane]);
  const found = model.shelves.get(name) ?? { high: [], normal: [], low: [] };
  model.shelves.set(name, found);
  return found;
}

/** Puts one row where another was (or none), in the table and in what is made from it. */
export function swap(model: Model, before: Row | undefined, after: Row | undefined): void {
  for (const name of before?.holds ?? []) model.names.delete(name);
  if (before && isDueRow(before))
    for (const shelf of shelvesFor(model, before)) takeOff(shelf, before);
  if (before && !after) model.rows.delete(before.id);
  if (!after) return;
  model.rows.set(after.id, after);
  for (const name of after.holds) model.names.set(name, after.id);
  if (isDueRow(after)) for (const shelf of shelvesFor(model, after)) putOn(shelf, after);
}

function shelvesFor(model: Model, row: DueRow): Shelf[] {
  const whole = shelvesOf(model, row.queue, null)[row.priority];
  if (row.lane === null) return [whole];
  return [whole, shelvesOf(model, row.queue, row.lane)[row.priority]];
}

function isSooner(row: DueRow, before: Row | undefined): boolean {
  if (!before || !isDueRow(before) || before.queue !== row.queue) return true;
  return row.wakeAt < before.wakeAt;
}

function hint(model: Model, queue: string): void {
  if (model.hints.has(queue)) return;
  model.hints.add(queue);
  model.undo.push(() => model.hints.delete(queue));
}
