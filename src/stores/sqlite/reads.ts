import type { SQLInputValue } from "node:sqlite";
import {
  pageSize,
  parseCursor,
  type Page,
  type QueueQuery,
  type QueueStats,
  type Stats,
} from "../../kernel/query.ts";
import type { ListInput } from "../../kernel/verbs.ts";
import { type FullSqlRow, pageOf, prefixEnd } from "../sql/row.ts";
import { fullColumns, fullRowOf } from "./rows.ts";
import { type Statements, upTo } from "./statements.ts";

type Find = (...params: readonly SQLInputValue[]) => readonly FullSqlRow[];

/** Records in the order they were made. */
export function prepareList(sql: Statements): (owner: string, query: ListInput) => Page {
  const kindsOf = sql.all<{ kind: string }>(`
    with recursive found (kind) as (
      select min(kind) from record where owner = ?1 union all
      select (select min(kind) from record where owner = ?1 and kind > found.kind)
      from found where found.kind is not null)
    select kind from found where kind is not null`);
  const find = findStatements(sql);
  return (owner, query) => {
    const limit = pageSize(query.limit);
    const filter = filterOf(query);
    // The index is by kind: a page of each kind, merged, is far less than all records sorted.
    const kinds = query.kind === undefined ? kindsOf(owner).map(({ kind }) => kind) : [query.kind];
    const sign = query.order === "newest" ? -1 : 1;
    const found = kinds
      // One more than the limit tells whether there is a next page.
      .flatMap((kind) => find(filter)(owner, kind, ...filter.params, limit + 1))
      .toSorted((a, b) => (a.id - b.id) * sign);
    return pageOf(found, limit);
  };
}

/** The records with a due row in a queue, in the same order. */
export function prepareQueueList(sql: Statements): (query: QueueQuery) => Page {
  // The page is chosen by the index alone: only its wide rows are read, however long the queue is.
  const find = sql.all(
    `select ${fullColumns} from (
       select id from due indexed by due_queue where queue = ? and id > ? order by id ${upTo("?")}) page
     cross join due d on d.id = page.id cross join record r on r.id = page.id order by page.id`,
    fullRowOf,
  );
  return ({ queue, after, limit: request }) => {
    const limit = pageSize(request);
    return pageOf(find(queue, after === undefined ? 0 : parseCursor(after), limit + 1), limit);
  };
}

interface Filter {
  /** What comes after "where". */
  readonly text: string;
  readonly params: readonly SQLInputValue[];
}

/** One statement for each set of filters in use. */
function findStatements(sql: Statements): (filter: Filter) => Find {
  const prepared = new Map<string, Find>();
  return ({ text }) => {
    const select = `
      select ${fullColumns} from record r left join due d on d.id = r.id where ${text} ${upTo("?")}`;
    const find = prepared.get(text) ?? sql.all(select, fullRowOf);
    prepared.set(text, find);
    return find;
  };
}

function filterOf({ state, parent, idPrefix, live, after, order }: ListInput): Filter {
  const newest = order === "newest";
  // A parent has few children, and a prefix few ids: the plus signs keep SQLite from the owner's index.
  const plus = parent === undefined && idPrefix === undefined ? "" : "+";
  const parts = [`${plus}r.owner = ? and ${plus}r.kind = ?`];
  const params: SQLInputValue[] = [];
  const add = (part: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return;
    parts.push(part);
    params.push(value);
  };
  add("r.state = ?", state);
  add("r.parent = ?", parent);
  add("r.uid >= ?", idPrefix);
  add("r.uid < ?", idPrefix === undefined ? undefined : prefixEnd(idPrefix));
  if (live !== undefined) parts.push(`r.ended_at is ${live ? "" : "not "}null`);
  if (after !== undefined) add(`r.id ${newest ? "<" : ">"} ?`, parseCursor(after));
  return { text: `${parts.join(" and ")} order by r.id ${newest ? "desc" : "asc"}`, params };
}

export function prepareStats(sql: Statements): (now: number) => Stats {
  const countRecords = sql.one<{ records: number }>(`select count(*) as records from record`);
  // In the order of the table: over the index each row is a jump, three times as slow.
  const countDue = sql.all<QueueStats>(`
    select queue, count(*) filter (where wake_at <= ?1) as due,
      count(*) filter (where wake_at > ?1 and holder is null) as later,
      count(*) filter (where wake_at > ?1 and holder is not null) as leased,
      min(wake_at) filter (where wake_at <= ?1) as oldestWakeAt
    from due not indexed group by queue order by queue`);
  return (now) => ({
    now,
    records: countRecords()?.records ?? 0,
    queues: countDue(now).map((row) => ({ ...row })), // plain objects, not rows
  });
}
