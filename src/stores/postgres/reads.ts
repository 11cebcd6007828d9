import {
  pageSize,
  parseCursor,
  type Page,
  type QueueQuery,
  type QueueStats,
  type Stats,
} from "../../kernel/query.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { ListInput, Verbs } from "../../kernel/verbs.ts";
import { recordOf, pageOf, prefixEnd } from "../sql/row.ts";
import type { Reply } from "./batch.ts";
import type { Executor, Param } from "./executors.ts";
import { findRow, findRows, rowColumns, rowOf, time } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Records in the order they were made. */
export async function listRecords(sql: Executor, owner: string, query: ListInput): Promise<Page> {
  const limit = pageSize(query.limit);
  const { text, params } = statement(owner, query, limit + 1); // one more tells whether there is a next page
  return pageOf((await sql.query(text, params)).map(rowOf), limit);
}

/** The records with a due row in a queue, in the same order. */
export async function listQueue(
  sql: Executor,
  { queue, after, limit: request }: QueueQuery,
): Promise<Page> {
  const limit = pageSize(request);
  const from = after === undefined ? 0 : parseCursor(after);
  const found = await sql.query(inQueue, [queue, from, limit + 1]);
  return pageOf(found.map(rowOf), limit);
}

// The sums keep the planner from walking all due rows in the order of their ids, past those of other queues.
// Lateral joins then read one row after the other, whatever it estimates.
const inQueue = `
  with page as materialized (
    select id from daybook.due where queue = $1 and id + 0 > $2 order by id + 0 limit $3)
  select ${rowColumns} from page,
    lateral (select * from daybook.due where due.id = page.id limit 1) d,
    lateral (select * from daybook.record where record.id = page.id limit 1) r
  order by r.id`;

function statement(
  owner: string,
  query: ListInput,
  limit: number,
): { text: string; params: readonly Param[] } {
  const { kind, state, parent, idPrefix, live, after } = query;
  const params: Param[] = [owner, limit];
  const parts = ["r.owner = $1"];
  const add = (part: string, value: Param | undefined): void => {
    if (value !== undefined) parts.push(`${part} $${params.push(value)}`);
  };
  const newest = query.order === "newest";
  const from = idPrefix === undefined ? "daybook.record" : startingWith(idPrefix, params);
  add("r.kind =", kind);
  add("r.state =", state);
  add("r.parent =", parent);
  if (live !== undefined) parts.push(`r.ended_at is ${live ? "" : "not "}null`);
  if (after !== undefined) add(`r.id ${newest ? "<" : ">"}`, parseCursor(after));
  const select = (more: string): string => `
    select * from ${from} r where ${parts.join(" and ")} ${more}
    order by r.id ${newest ? "desc" : "asc"} limit $2`;
  // The index is by kind: a page of each kind, merged, is far less than all records sorted.
  const found =
    kind === undefined && parent === undefined && idPrefix === undefined
      ? `${kinds} select p.* from kinds k, lateral (${select("and r.kind = k.kind")}) p where k.kind is not null`
      : select("");
  const text = `
    select ${rowColumns} from (${found}) r left join daybook.due d on d.id = r.id
    order by r.id ${newest ? "desc" : "asc"} limit $2`;
  return { text, params };
}

/** The offset makes the planner find these first, by the index of ids, rather than walk the owner's records in order. */
function startingWith(idPrefix: string, params: Param[]): string {
  const [from, to] = [params.push(idPrefix), params.push(prefixEnd(idPrefix))];
  return `(select * from daybook.record where uid >= $${from} and uid < $${to} offset 0)`;
}

const kinds = `
  with recursive kinds (kind) as (
    (select min(kind) from daybook.record where owner = $1) union all
    select (select min(kind) from daybook.record where owner = $1 and kind > kinds.kind)
    from kinds where kinds.kind is not null)`;

type Get = Verbs["get"]["input"];
type List = Verbs["list"]["input"];

/** Many calls with one statement: a pass of a controller reads one record for each that it claimed. */
export async function getMany(
  session: Session,
  calls: readonly Get[],
): Promise<readonly Reply<AnyRecord | undefined>[]> {
  const [first] = calls;
  const isAlone = calls.length === 1 && first !== undefined; // a shorter statement
  const rows = isAlone
    ? new Map([[first.id, await findRow(session, first.id)]])
    : await findRows(session, calls.map(({ id }) => id).filter(isName));
  return calls.map((call) => {
    const row = rows.get(call.id);
    return { answer: row?.owner === call.who.owner ? recordOf(row) : undefined };
  });
}

/** An id that PostgreSQL cannot store must not fail the other calls. */
function isName(id: string): boolean {
  return id.isWellFormed() && !id.includes("\0");
}

/** Whether the query is for the first live record of a kind, as profiles are read. */
export function isFirst({ kind, live, limit, ...rest }: ListInput): boolean {
  return kind !== undefined && live === true && limit === 1 && Object.keys(rest).length === 0;
}

/** The first live record of a kind, for many owners. */
export async function firstOfMany(
  session: Session,
  calls: readonly List[],
): Promise<readonly Reply<Page>[]> {
  const [first] = calls;
  if (first === undefined) return [];
  if (calls.length === 1) {
    return [{ answer: await listRecords(session, first.who.owner, first.query) }];
  }
  const request = calls.map(({ who, query }, n) => ({ n, owner: who.owner, kind: query.kind }));
  const found = await session.query(firsts, [JSON.stringify(request)]);
  const pages = Map.groupBy(found, ({ n }) => Number(n));
  return calls.map((_, n) => {
    const rows = (pages.get(n) ?? []).map(rowOf);
    const next = rows.length > 1 ? String(rows[0]?.id) : null;
    return { answer: { records: rows.slice(0, 1).map(recordOf), next } };
  });
}

// Two for each owner: the second tells whether there is a next page.
const firsts = `
  select request.n, ${rowColumns}
  from json_to_recordset($1::text::json) as request (n int, owner text, kind text),
    lateral (
      select * from daybook.record where record.owner = request.owner and record.kind = request.kind
        and record.ended_at is null
      order by record.id limit 2) r
    left join daybook.due d on d.id = r.id
  order by request.n, r.id`;

export async function countAll(session: Session): Promise<Stats> {
  const now = await session.now();
  const [records] = await session.query(`select count(*) as count from daybook.record`, []);
  const queues = await session.query(
    `select queue, count(*) filter (where wake_at <= $1) as due,
       count(*) filter (where wake_at > $1 and holder is null) as later,
       count(*) filter (where wake_at > $1 and holder is not null) as leased,
       min(wake_at) filter (where wake_at <= $1) as oldest
     from daybook.due group by queue order by queue`,
    [now],
  );
  const entries = queues.map(({ queue, due, later, leased, oldest }): QueueStats => ({
    queue: String(queue),
    due: Number(due),
    later: Number(later),
    leased: Number(leased),
    oldestWakeAt: time(oldest),
  }));
  return { now, records: Number(records?.["count"]), queues: entries };
}
