import type { Move, Prune } from "../../kernel/work-unit.ts";
import { priorityNumbers } from "../sql/row.ts";
import { type Statements, upTo } from "./statements.ts";

interface MovedRow {
  id: number;
  toAt: number;
}

/** Parks a lane's waiting records, or frees them. */
export function prepareMove(
  sql: Statements,
  hint: (queue: string) => void,
): (move: Move) => number {
  const { wakingBefore, parkedAfter } = moveQueries(sql);
  const update = sql.run(`update due set wake_at = ? where id = ?`);
  return ({ queue, lane, to, limit }) => {
    const later = wakingBefore(queue, lane, to, limit);
    const sooner = parkedAfter(queue, lane, to, limit - later.length);
    for (const { id, toAt } of [...later, ...sooner]) update(toAt, id);
    if (sooner.length > 0) hint(queue);
    return later.length + sooner.length;
  };
}

/** Both read a range of an index, however many records of the lane have a later ready time. */
function moveQueries(sql: Statements): {
  wakingBefore(...params: (string | number)[]): readonly MovedRow[];
  parkedAfter(...params: (string | number)[]): readonly MovedRow[];
} {
  const ofPriority = (priority: number): string => `
    select * from (
      select id, wake_at, max(ready_at, ?3) as toAt from due
      where queue = ?1 and lane = ?2 and priority = ${priority} and wake_at < ?3 and holder is null
      order by wake_at, id ${upTo("?4")})`;
  return {
    wakingBefore: sql.all<MovedRow>(`
      select id, toAt from (${priorityNumbers.map(ofPriority).join(" union all ")})
      order by wake_at, id ${upTo("?4")}`),
    parkedAfter: sql.all<MovedRow>(`
      select id, max(ready_at, ?3) as toAt from due indexed by due_parked
      where queue = ?1 and lane = ?2 and wake_at > ?3 and wake_at > ready_at and holder is null
      order by wake_at, id ${upTo("?4")}`),
  };
}

interface Ended {
  id: number;
  kind: string;
  owner: string;
  key: string | null;
}

/** Deletes ended records with their history, output and keys. */
export function preparePrune(sql: Statements): (prune: Prune, now: number) => number {
  const find = sql.all<Ended>(`
    select id, kind, owner, key from record where ended_at < ? order by ended_at, id ${upTo("?")}`);
  const findOf = sql.all<Ended>(`
    select id, kind, owner, key from record r
    where ended_at >= ?1 and ended_at < ?2 and (?3 is null or exists (
      select 1 from json_each(?3) o where o.value ->> 'kind' = r.kind and (
        o.value ->> 'has' is null or json_extract(r.body, '$.' || (o.value ->> 'has')) is not null)))
    order by ended_at, id ${upTo("?4")}`);
  // A key that has not expired stays: the sweep deletes it later.
  const releaseKey = sql.run(`
    update key set sweep_at = coalesce(until, 0) where kind = ? and owner = ? and name = ?`);
  const sweepKeys = sql.run(`
    delete from key where sweep_at <= ? and not exists (select 1 from record r where r.uid = key.uid)`);
  const deletes = ["history", "chunk", "record"].map((table) =>
    sql.run(`delete from ${table} where id = ?`),
  );
  return ({ endedBefore, limit, endedFrom = 0, of }, now) => {
    sql.flush();
    const isAll = of === undefined && endedFrom === 0;
    const wanted = of === undefined ? null : JSON.stringify(of);
    const found = isAll ? find(endedBefore, limit) : findOf(endedFrom, endedBefore, wanted, limit);
    for (const { id, kind, owner, key } of found) {
      if (key !== null) releaseKey(kind, owner, key);
      for (const deleteFrom of deletes) deleteFrom(id);
    }
    sweepKeys(now);
    return found.length;
  };
}
