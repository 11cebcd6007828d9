import type { Change } from "../../kernel/reading.ts";
import type { Priority } from "../../kernel/record.ts";
import type { Write as Chunk } from "../../kernel/work-unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { putOn, shelf, takeOff, type Shelf } from "./due-index.ts";
import { isDueRow, type DueRow, type Row } from "./row.ts";

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
  /** By record and stream. */
  readonly output: Map<string, Streams>;
  /** Queues in which something may have become due. */
  readonly hints: Set<string>;
  /** What the running call (or group of calls) wrote, newest last. */
  readonly writes: Write[];
  seq: number;
}

/** One write, and how to take it back. */
interface Write {
  /** What it made true of a table; nothing when it only touched what is made from tables. */
  readonly fact: Fact | undefined;
  takeBack(): void;
}

/** What became true of a table. All facts in a row make the tables again. */
export type Fact =
  | { readonly what: "row"; readonly row: Row }
  | { readonly what: "gone"; readonly id: string }
  | { readonly what: "change"; readonly entry: Entry }
  | { readonly what: "key"; readonly name: string; readonly entry: KeyEntry | null }
  | { readonly what: "bytes"; readonly chunk: Added };

/** Bytes at the end of a stream. */
export type Added = Pick<Chunk, "id" | "stream" | "bytes">;

/** The first `size` of these bytes; the rest is room to grow. */
export interface Stream {
  readonly bytes: Uint8Array;
  readonly size: number;
}

type Streams = Map<string, Stream>;

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
    writes: [],
  };
}

/** All or nothing: when `write` throws, everything it wrote is taken back. */
export function unit<T>(model: Model, write: () => T): T {
  const start = model.writes.length;
  try {
    return write();
  } catch (error) {
    takeBack(model, start);
    throw error;
  }
}

/** Takes back all but the first `count` writes, the newest first. */
export function takeBack(model: Model, count: number): void {
  while (model.writes.length > count) model.writes.pop()?.takeBack();
}

export function wrote(model: Model, fact: Fact | undefined, takeBack: () => void): void {
  model.writes.push({ fact, takeBack });
}

export function nextSeq(model: Model): number {
  model.seq += 1;
  return model.seq;
}

/** Puts a row in place of the one with its id, if there is one. */
export function put(model: Model, row: Row): void {
  const before = model.rows.get(row.id);
  swap(model, before, row);
  wrote(model, { what: "row", row }, () => swap(model, row, before));
  if (isDueRow(row) && isSooner(row, before)) hint(model, row.queue);
}

/** A visible change: puts the row, and writes what happened to it. */
export function enter(model: Model, row: Row, happened: Happened): Row {
  const next = { ...row, updatedAt: model.now };
  put(model, next);
  const { id, kind, state, revision, attempt } = next;
  const { note = null, ...more } = happened;
  const blank = { id, kind, state, revision, attempt, at: model.now, claimedAt: null };
  const change = { ...blank, ...more, note };
  const entry = { seq: nextSeq(model), owner: row.owner, change };
  model.history.push(entry);
  wrote(model, { what: "change", entry }, () => model.history.pop());
  return next;
}

type Happened = Pick<Change, "what" | "by"> &
  Partial<Pick<Change, "claimedAt" | "attempt">> & { note?: string | undefined };

/** Puts a key's entry in place of the one it has; none: the key is free. */
export function putKey(model: Model, name: string, entry: KeyEntry | null): void {
  const before = model.keys.get(name) ?? null;
  setKey(model, name, entry);
  wrote(model, { what: "key", name, entry }, () => setKey(model, name, before));
}

export function setKey({ keys }: Model, name: string, entry: KeyEntry | null): void {
  if (entry === null) keys.delete(name);
  else keys.set(name, entry);
}

/** The due rows of a queue, or of one lane of it. */
export function shelvesOf(model: Model, queue: string, lane: string | null): Shelves {
  const name = lane === null ? queue : `${queue}\0${lane}`; // no name has a NUL in it
  const found = model.shelves.get(name);
  if (found !== undefined) return found;
  const fresh = { high: shelf(), normal: shelf(), low: shelf() };
  model.shelves.set(name, fresh);
  return fresh;
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
  wrote(model, undefined, () => model.hints.delete(queue));
}
