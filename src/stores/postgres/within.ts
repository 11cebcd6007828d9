import { withinOver, type Within } from "../../kernel/within.ts";
import type { Ids } from "../../platform/ids.ts";
import { recordOf } from "../sql/row.ts";
import type { Executor } from "./executors.ts";
import { readChanges } from "./history.ts";
import { readOutput } from "./output.ts";
import { listRecords } from "./reads.ts";
import { findRow } from "./rows.ts";
import { sessionOver } from "./transactions.ts";
import { bookAppend, bookCancel, bookEdit } from "./writes.ts";

/**
 * A unit that is refused leaves the caller's transaction usable. Nothing is tried again here: after a
 * deadlock or a lost connection the transaction is the caller's to repeat.
 */
export function withinTransaction(
  executor: Executor,
  ids: Ids,
  tell: (queues: readonly string[]) => void,
): Within {
  const session = sessionOver(executor);
  return withinOver(
    {
      append: (input) => bookAppend(session, input, ids),
      edit: (input) => bookEdit(session, input, ids),
      cancel: (input) => bookCancel(session, input, ids),
      async get({ who, id }) {
        const row = await findRow(session, id);
        return row?.owner === who.owner ? recordOf(row) : undefined;
      },
      list: ({ who, query }) => listRecords(session, who.owner, query),
      changes: ({ who, query }) => readChanges(session, who.owner, query),
      read: ({ who, query }) => readOutput(session, who.owner, query),
    },
    () => tell(session.hinted.splice(0)),
  );
}
