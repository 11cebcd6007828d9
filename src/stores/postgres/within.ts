import { withinOver, type Within } from "../../kernel/checked-ledger.ts";
import type { Ids } from "../../platform/ids.ts";
import { recordOf } from "../sql/row.ts";
import type { Executor } from "./executors.ts";
import { readChanges } from "./history.ts";
import { readOutput } from "./output.ts";
import { listRecords } from "./reads.ts";
import { findRow } from "./rows.ts";
import { sessionOver } from "./transactions.ts";
import { appendUnit, cancelUnit, editUnit } from "./writes.ts";

/**
 * A refused unit leaves the caller's transaction usable. Nothing is retried here: after a deadlock or a lost
 * connection the caller repeats the transaction.
 */
export function withinTransaction(
  executor: Executor,
  ids: Ids,
  onHints: (queues: readonly string[]) => void,
): Within {
  const session = sessionOver(executor);
  return withinOver(
    {
      append: (input) => appendUnit(session, input, ids),
      edit: (input) => editUnit(session, input, ids),
      cancel: (input) => cancelUnit(session, input, ids),
      async get({ who, id }) {
        const row = await findRow(session, id);
        return row?.owner === who.owner ? recordOf(row) : undefined;
      },
      list: ({ who, query }) => listRecords(session, who.owner, query),
      changes: ({ who, query }) => readChanges(session, who.owner, query),
      read: ({ who, query }) => readOutput(session, who.owner, query),
    },
    () => onHints(session.hinted.splice(0)),
  );
}
