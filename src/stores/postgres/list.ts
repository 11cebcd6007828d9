import { pageSize, parseCursor, type Page, type QueueQuery } from "../../kernel/reading.ts";
import type { ListInput } from "../../kernel/verbs.ts";
import { recordOf } from "../sql/row.ts";
import type { Executor, Fields, Param } from "./executors.ts";
import { rowColumns, rowOf } from "./row.ts";

/** Records in the order they were made. */
export async function listRecords(sql: Executor, owner: string, query: ListInput): Promise<Page> {
  const limit = pageSize(query.limit);
  const { text, params } = statement(owner, query, limit + 1); // one more tells of a next page
  return pageOf(await sql.query(text, params), limit);
}

/** What has a due row in a queue, in the same order. */
export async function listQueue(
  sql: Executor,
  { queue, after, limit: request }: QueueQuery,
): Promise<Page> {
  const limit = pageSize(request);
  const from = after === undefined ? 0 : parseCursor(after);
  return pageOf(await sql.query(inQueue, [queue, from, limit + 1]), limit);
}

// The sums keep the planner from walking all due rows in the order of their ids, past those of other queues;
// then one row after the other (lateral), whatever it thinks of how many there are.
const inQueue = `
  with page as materialized (
    select id from daybook.due where queue = $1 and id + 0 > $2 order by id + 0 limit $3)
  select ${rowColumns} from page,
    lateral (select * from daybook.due where due.id = page.id limit 1) d,
    lateral (select * from daybook.record where record.id = page.id limit 1) r
  order by r.id`;

/** One more than asked was looked for. */
function pageOf(fields: readonly Fields[], limit: number): Page {
  const found = fields.map(rowOf);
  const page = found.slice(0, limit);
  const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { records: page.map(recordOf), next: next === null ? null : String(next) };
}

function statement(
  owner: string,
  query: ListInput,
  limit: number,
): { text: string; params: readonly Param[] } {
  const { kind, state, parent, live, after } = query;
  const params: Param[] = [owner, limit];
  const parts = ["r.owner = $1"];
  const add = (part: string, value: Param | undefined): void => {
    if (value !== undefined) parts.push(`${part} $${params.push(value)}`);
  };
  const newest = query.order === "newest";
  add("r.kind =", kind);
  add("r.state =", state);
  add("r.parent =", parent);
  if (live !== undefined) parts.push(`r.ended_at is ${live ? "" : "not "}null`);
  if (after !== undefined) add(`r.id ${newest ? "<" : ">"}`, parseCursor(after));
  const select = (more: string): string => `
    select * from daybook.record r where ${parts.join(" and ")} ${more}
    order by r.id ${newest ? "desc" : "asc"} limit $2`;
  // The index is by kind: a page of each kind, merged, is far less than all records sorted.
  const found =
    kind === undefined && parent === undefined
      ? `${kinds} select p.* from kinds k, lateral (${select("and r.kind = k.kind")}) p where k.kind is not null`
      : select("");
  const text = `
    select ${rowColumns} from (${found}) r left join daybook.due d on d.id = r.id
    order by r.id ${newest ? "desc" : "asc"} limit $2`;
  return { text, params };
}

const kinds = `
  with recursive kinds (kind) as (
    (select min(kind) from daybook.record where owner = $1) union all
    select (select min(kind) from daybook.record where owner = $1 and kind > kinds.kind)
    from kinds where kinds.kind is not null)`;
