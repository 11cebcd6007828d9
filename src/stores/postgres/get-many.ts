import type { Page } from "../../kernel/reading.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Verbs, ListInput } from "../../kernel/verbs.ts";
import { recordOf } from "../sql/row.ts";
import type { Reply } from "./group.ts";
import { listRecords } from "./list.ts";
import { rowColumns, rowOf } from "./row.ts";
import { findRow, findRows } from "./rows.ts";
import type { Session } from "./transactions.ts";

type Get = Verbs["get"]["input"];
type List = Verbs["list"]["input"];

/** Many that were asked for at once: a pass over due records looks at one of each. */
export async function getMany(
  session: Session,
  calls: readonly Get[],
): Promise<readonly Reply<AnyRecord | undefined>[]> {
  const [first] = calls;
  const isAlone = calls.length === 1 && first !== undefined; // the shorter way
  const rows = isAlone
    ? new Map([[first.id, await findRow(session, first.id)]])
    : await findRows(session, calls.map(({ id }) => id).filter(isName));
  return calls.map((call) => {
    const row = rows.get(call.id);
    return { answer: row?.owner === call.who.owner ? recordOf(row) : undefined };
  });
}

/** What no record can be called must not take the others with it. */
function isName(id: string): boolean {
  return id.isWellFormed() && !id.includes("\0");
}

/** The one live record of a kind that an owner has: a profile. */
export function isFirst({ kind, live, limit, ...rest }: ListInput): boolean {
  return kind !== undefined && live === true && limit === 1 && Object.keys(rest).length === 0;
}

/** The same of many owners. */
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

// Two of each: the second tells of a next page.
const firsts = `
  select asked.n, ${rowColumns}
  from json_to_recordset($1::text::json) as asked (n int, owner text, kind text),
    lateral (
      select * from daybook.record where record.owner = asked.owner and record.kind = asked.kind
        and record.ended_at is null
      order by record.id limit 2) r
    left join daybook.due d on d.id = r.id
  order by asked.n, r.id`;
