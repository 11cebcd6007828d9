import type { Prune } from "../work-unit.ts";
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
  // The key stays while its own time has not come: the sweep takes it later.
  const releaseKey = sql.run(`
    update key set sweep_at = coalesce(until, 0) where kind = ? and owner = ? and name = ?`);
  const sweepKeys = sql.run(`
    delete from key where sweep_at <= ? and not exists (select 1 from record r where r.uid = key.uid)`);
  const forget = ["history", "chunk", "record"].map((table) =>
    sql.run(`delete from ${table} where id = ?`),
  );
  return ({ endedBefore, limit }, now) => {
    const found = find(endedBefore, limit);
    for (const { id, kind, owner, key } of found) {
      if (key !== null) releaseKey(kind, owner, key);
      for (const each of forget) each(id);
    }
    sweepKeys(now);
    return found.length;
  };
}
