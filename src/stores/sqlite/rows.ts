import type { AnyRecord } from "../../kernel/record.ts";
import { notFound } from "../../kernel/refusals.ts";
import { isSooner } from "../sql/change.ts";
import { type FullSqlRow, recordOf, type SqlRow, type Texts, textOf } from "../sql/row.ts";
import { fullColumns, fullRowOf, rowColumns, rowOf } from "./row.ts";
import type { Statements } from "./statements.ts";

/** The record and due tables as one. */
export interface Rows {
  find(uid: string): SqlRow | undefined;
  findFull(uid: string): FullSqlRow | undefined;
  /** Throws `not_found` for another owner's record too. */
  owned(owner: string, uid: string): SqlRow;
  /** Another owner's record is nothing. */
  record(owner: string, uid: string): AnyRecord | undefined;
  /** Answers its number; undefined, and nothing is written, if there is a record of this name. */
  insert(row: FullSqlRow): number | undefined;
  save(before: SqlRow, after: SqlRow, texts?: Texts): void;
  /** Writes the narrow due row alone: when and by whom the record is looked at. */
  place(before: SqlRow, after: SqlRow): void;
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

  const place = (before: SqlRow, after: SqlRow): void => {
    if (before.wakeAt === null) insertDue(after);
    else if (after.wakeAt === null) deleteDue(after.id);
    else updateDue(after);
    if (isSooner(before, after)) hint(after.queue);
  };
  return {
    find,
    findFull,
    place,
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
      place(before, after);
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

/** Apart, not as one upsert: SQLite copies every page that one touches, in case it must take it back. */
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
