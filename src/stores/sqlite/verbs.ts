import type { Ids } from "../../platform/ids.ts";
import { appending } from "./append.ts";
import { unitVerbs } from "./book.ts";
import { cancelling } from "./cancel.ts";
import { changing } from "./changes.ts";
import { claiming } from "./claim.ts";
import { consequenceWriter } from "./consequences.ts";
import { editing } from "./edit.ts";
import { history as historyOf } from "./history.ts";
import { holds as holdsOf } from "./holds.ts";
import { keeping } from "./keep.ts";
import { keys } from "./keys.ts";
import { listing, listingQueue } from "./list.ts";
import { moving } from "./move.ts";
import { output } from "./output.ts";
import { pruning } from "./prune.ts";
import { rows as rowsOf } from "./rows.ts";
import { settling } from "./settle.ts";
import type { Statements } from "./statements.ts";
import { counting } from "./stats.ts";
import type { StoreVerbs } from "./store-verbs.ts";
import type { Transactions } from "./transactions.ts";
import { eachUnit } from "./units.ts";
import { waking } from "./wake.ts";

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
