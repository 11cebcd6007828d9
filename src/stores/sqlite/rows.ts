import { notFound } from "../../kernel/ledger-errors.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { isSooner } from "../sql/change.ts";
import { type FullSqlRow, type SqlRow, type Texts, recordOf, textOf } from "../sql/row.ts";
import type { Statements } from "./statements.ts";

/** In the order of `rowOf`. Attempt, lapses and fence are in the due row while there is one. */
const rowColumns = `
  r.id, r.uid, r.kind, r.owner, r.by, r.state, r.priority, r.queue, r.lane, r.revision,
  coalesce(d.attempt, r.attempt), coalesce(d.lapses, r.lapses), coalesce(d.fence, r.fence), r.cancelling,
  r.updated_at, r.ended_at, d.wake_at, d.ready_at, d.woken_at, d.holder, d.claimed_at`;

/** One literal, because it is built for every record that is read. */
function rowOf(values: readonly unknown[]): SqlRow {
  return {
    id: values[0],
    uid: values[1],
    kind: values[2],
    owner: values[3],
    by: values[4],
    state: values[5],
    priority: values[6],
    queue: values[7],
    lane: values[8],
    revision: values[9],
    attempt: values[10],
    lapses: values[11],
    fence: values[12],
    cancelling: values[13] === 1, // SQLite has no booleans
    updatedAt: values[14],
    endedAt: values[15],
    wakeAt: values[16],
    readyAt: values[17],
    wokenAt: values[18],
    holder: values[19],
    claimedAt: values[20],
  } as SqlRow;
}

export const fullColumns: string = `${rowColumns}, r.key, r.parent, r.created_at, r.body, r.outcome`;

export function fullRowOf(values: readonly unknown[]): FullSqlRow {
  const [key, parent, createdAt, body, outcome] = values.slice(21);
  return Object.assign(rowOf(values), { key, parent, createdAt, body, outcome }) as FullSqlRow;
}

/** The record and due tables as one. */
export interface Rows {
  find(uid: string): SqlRow | undefined;
  findFull(uid: string): FullSqlRow | undefined;
  /** Throws `not_found` for another owner's record too. */
  owned(owner: string, uid: string): SqlRow;
  /** Undefined for another owner's record. */
  record(owner: string, uid: string): AnyRecord | undefined;
  /** Answers the number of the row. Undefined, and nothing is written: a record has this id. */
  insert(row: FullSqlRow): number | undefined;
  save(before: SqlRow, after: SqlRow, texts?: Texts): void;
  /** Writes the narrow due row alone: wake time and lease. */
  saveDue(before: SqlRow, after: SqlRow): void;
}

export function rows(sql: Statements, hint: (queue: string) => void): Rows {
  const find = sql.one(
    `select ${rowColumns} from record r left join due d on d.id = r.id where r.uid = ?`,
    rowOf,
  );
  const findFull = sql.one(
    `select ${fullColumns} from record r left join due d on d.id = r.id where r.uid = ?`,
    fullRowOf,
  );
  const { insertRecord, updateRecord } = recordWriters(sql);
  const { insertDue, updateDue, deleteDue } = dueWriters(sql);
  const deleteHolds = sql.run(`delete from hold where id = ?`);

  const saveDue = (before: SqlRow, after: SqlRow): void => {
    if (before.wakeAt === null) insertDue(after);
    else if (after.wakeAt === null) deleteDue(after.id);
    else updateDue(after);
    if (isSooner(before, after)) hint(after.queue);
  };
  return {
    find,
    findFull,
    saveDue,
    owned(owner, uid) {
      const row = find(uid);
      if (row === undefined || row.owner !== owner) throw notFound(uid);
      return row;
    },
    record(owner, uid) {
      const row = findFull(uid);
      return row === undefined || row.owner !== owner ? undefined : recordOf(row);
    },
    insert(row) {
      const id = insertRecord(row);
      if (id === undefined) return undefined;
      insertDue({ ...row, id });
      if (row.wakeAt !== null) hint(row.queue);
      return id;
    },
    save(before, after, texts = {}) {
      updateRecord(after, texts);
      saveDue(before, after);
      if (after.endedAt !== null) deleteHolds(after.id);
    },
  };
}

function recordWriters(sql: Statements): {
  insertRecord(row: FullSqlRow): number | undefined;
  updateRecord(row: SqlRow, texts: Texts): void;
} {
  const insert = sql.insert(`
    insert into record (uid, kind, owner, by, key, parent, state, priority, queue, lane, revision, attempt,
      lapses, fence, cancelling, created_at, updated_at, ended_at, body, outcome)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (uid) do nothing`);
  const update = sql.run(`
    update record set state = ?, priority = ?, queue = ?, lane = ?, revision = ?, attempt = ?, lapses = ?,
      fence = ?, cancelling = ?, updated_at = ?, ended_at = ?,
      body = coalesce(?, body), outcome = coalesce(?, outcome)
    where id = ?`);
  return {
    insertRecord: (row) => {
      const { uid, kind, owner, by, key, parent, state, priority, queue, lane, revision } = row;
      const head = [uid, kind, owner, by, key, parent, state, priority, queue, lane, revision];
      const { attempt, lapses, fence, cancelling, createdAt, updatedAt, endedAt } = row;
      const tail = [attempt, lapses, fence, Number(cancelling), createdAt, updatedAt, endedAt];
      return insert(...head, ...tail, row.body, row.outcome);
    },
    updateRecord(row, texts) {
      const { state, priority, queue, lane, revision, attempt, lapses, fence, cancelling } = row;
      const head = [state, priority, queue, lane, revision, attempt, lapses, fence];
      update(
        ...head,
        Number(cancelling),
        row.updatedAt,
        row.endedAt,
        textOf(texts.body),
        textOf(texts.outcome),
        row.id,
      );
    },
  };
}

/** Separate statements, not an upsert: SQLite copies every page that an upsert changes, to be able to undo it. */
function dueWriters(sql: Statements): {
  insertDue(row: SqlRow): void;
  updateDue(row: SqlRow): void;
  deleteDue(id: number): void;
} {
  const insert = sql.run(`
    insert into due (queue, priority, lane, wake_at, ready_at, woken_at, holder, claimed_at, attempt,
      lapses, fence, id)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = sql.run(`
    update due set queue = ?, priority = ?, lane = ?, wake_at = ?, ready_at = ?, woken_at = ?, holder = ?,
      claimed_at = ?, attempt = ?, lapses = ?, fence = ?
    where id = ?`);
  const remove = sql.run(`delete from due where id = ?`);
  const values = (row: SqlRow): readonly (string | number | null)[] => {
    const { queue, priority, lane, wakeAt, readyAt, wokenAt, holder, claimedAt } = row;
    const head = [queue, priority, lane, wakeAt, readyAt, wokenAt, holder, claimedAt];
    return [...head, row.attempt, row.lapses, row.fence, row.id];
  };
  return {
    insertDue(row) {
      if (row.wakeAt !== null) insert(...values(row));
    },
    updateDue: (row) => void update(...values(row)),
    deleteDue: (id) => void remove(id),
  };
}
