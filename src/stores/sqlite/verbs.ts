import type { Verb } from "../../kernel/verbs.ts";
import type { Ids } from "../../platform/ids.ts";
import { prepareClaim } from "./claim.ts";
import { prepareChanges } from "./history.ts";
import { prepareMove, preparePrune } from "./maintenance.ts";
import { output } from "./output.ts";
import { prepareList, prepareQueueList, prepareStats } from "./reads.ts";
import { keep, settle } from "./settle.ts";
import type { Statements } from "./statements.ts";
import { tables as tablesOf } from "./tables.ts";
import type { Transactions } from "./transactions.ts";
import { eachUnit, type StoreVerb, unitVerbs } from "./writes.ts";

/** The fifteen verbs. */
export type StoreVerbs = { readonly [V in Verb]: StoreVerb<V> };

/** Makes the verbs; each part prepares its own statements. */
export function storeVerbs(
  sql: Statements,
  { hint, savepoint }: Pick<Transactions, "hint" | "savepoint">,
  ids: Ids,
): StoreVerbs {
  const tables = tablesOf(sql, hint, ids);
  const { rows } = tables;
  const list = prepareList(sql);
  const changes = prepareChanges(sql, rows);
  const { write, read } = output(sql, rows);
  const count = prepareStats(sql);
  return {
    ...unitVerbs(tables, savepoint),
    get: ({ who, id }) => rows.record(who.owner, id),
    list: ({ who, query }) => list(who.owner, query),
    changes: ({ who, query }) => changes(who.owner, query),
    read: ({ who, query }) => read(who.owner, query),
    claim: prepareClaim(sql, tables),
    keep: (units, now) => units.map((unit) => keep(tables, unit, now)),
    settle: eachUnit(savepoint, (unit, now) => settle(tables, unit, now)),
    move: prepareMove(sql, hint),
    write,
    prune: preparePrune(sql),
    inQueue: prepareQueueList(sql),
    stats: (_, now) => count(now),
  };
}
