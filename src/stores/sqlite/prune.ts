import type { Prune } from "../../kernel/work-unit.ts";
import { upTo, type Statements } from "./statements.ts";

interface Old {
  id: number;
  kind: string;
  owner: string;
  key: string | null;
}

/** Forgets records that ended long ago, with all that hangs on them. */
export function pruning(sql: Statements): (prune: Prune, now: number) => number {
  const find = sql.all<Old>(`
    select id, kind, owner, key from record where ended_at < ? order by ended_at, id ${upTo("?")}`);
  const findOf = sql.all<Old>(`
    select id, kind, owner, key from record r
    where ended_at >= ?1 and ended_at < ?2 and (?3 is null or exists (
      select 1 from json_each(?3) o where o.value ->> 'kind' = r.kind and (
        o.value ->> 'has' is null or json_extract(r.body, '$.' || (o.value ->> 'has')) is not null)))
    order by ended_at, id ${upTo("?4")}`);
  // The key stays while its own time has not come: the sweep takes it later.
  const releaseKey = sql.run(`
    update key set sweep_at = coalesce(until, 0) where kind = ? and owner = ? and name = ?`);
  const sweepKeys = sql.run(`
    delete from key where sweep_at <= ? and not exists (select 1 from record r where r.uid = key.uid)`);
  const forget = ["history", "chunk", "record"].map((table) =>
    sql.run(`delete from ${table} where id = ?`),
  );
  return ({ endedBefore, limit, endedFrom = 0, of }, now) => {
    sql.flush();
    const isAll = of === undefined && endedFrom === 0;
    const wanted = of === undefined ? null : JSON.stringify(of);
    const found = isAll ? find(endedBefore, limit) : findOf(endedFrom, endedBefore, wanted, limit);
    for (const { id, kind, owner, key } of found) {
      if (key !== null) releaseKey(kind, owner, key);
      for (const each of forget) each(id);
    }
    sweepKeys(now);
    return found.length;
  };
}
