import type { Verb } from "../../kernel/verbs.ts";
import type { Ids } from "../../platform/ids.ts";
import { appending } from "./append.ts";
import { claiming } from "./claim.ts";
import { changing, history as historyOf } from "./history.ts";
import { moving, pruning } from "./maintenance.ts";
import { holds as holdsOf, keys } from "./names.ts";
import { output } from "./output.ts";
import { counting, listing, listingQueue } from "./reads.ts";
import { rows as rowsOf } from "./rows.ts";
import { keeping, settling } from "./settle.ts";
import type { Statements } from "./statements.ts";
import type { Transactions } from "./transactions.ts";
import {
  cancelling,
  consequenceWriter,
  eachUnit,
  editing,
  type StoreVerb,
  unitVerbs,
  waking,
} from "./writes.ts";

/** The fifteen verbs. */
export type StoreVerbs = { readonly [V in Verb]: StoreVerb<V> };

/** Puts the verbs together from their parts; each part prepares its own statements. */
export function storeVerbs(
  sql: Statements,
  { hint, savepoint }: Pick<Transactions, "hint" | "savepoint">,
  ids: Ids,
): StoreVerbs {
  const rows = rowsOf(sql, hint);
  const history = historyOf(sql);
  const holds = holdsOf(sql);
  const writers = {
    append: appending({ rows, keys: keys(sql), holds, history, ids }),
    edit: editing(rows, holds, history),
    cancel: cancelling(rows, history),
    wake: waking(rows),
  };
  const writeFollows = consequenceWriter(writers);
  const keep = keeping(rows, history);
  const list = listing(sql);
  const changes = changing(sql, rows);
  const { write, read } = output(sql, rows);
  const count = counting(sql);
  return {
    ...unitVerbs({ rows, writers, writeFollows, savepoint }),
    get: ({ who, id }) => rows.record(who.owner, id),
    list: ({ who, query }) => list(who.owner, query),
    changes: ({ who, query }) => changes(who.owner, query),
    read: ({ who, query }) => read(who.owner, query),
    claim: claiming(sql, rows, history),
    keep: (units, now) => units.map((unit) => keep(unit, now)),
    settle: eachUnit(savepoint, settling({ rows, holds, history, writeFollows })),
    move: moving(sql, hint),
    write,
    prune: pruning(sql),
    inQueue: listingQueue(sql),
    stats: (_, now) => count(now),
  };
}
