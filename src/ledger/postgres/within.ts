import type { Ids } from "../../base/ids.ts";
import type { Kind } from "../../rules/kinds.ts";
import type { LedgerRecord } from "../../rules/record.ts";
import type { Appended, Cancelled, Draft, Edit, Follows } from "../../rules/unit.ts";
import { checkDraft, checkEdit, checkFollows, checkWho } from "../check.ts";
import type { Book } from "../ledger.ts";
import { bookAppend, bookCancel, bookEdit } from "./book.ts";
import type { Executor } from "./executors.ts";
import { sessionOver } from "./transactions.ts";

/** The writing verbs of a book, inside a transaction that the caller began and will commit. */
export interface Within {
  of(owner: string, by: string): Pick<Book, "append" | "edit" | "cancel">;
  /** To be called after the commit: tells the nodes at once. Without it they find the work at their
   * next poll. */
  hint(): void;
}

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
  const checked = (follows: Follows | undefined): { follows?: Follows } => {
    checkFollows(follows);
    return follows === undefined ? {} : { follows };
  };
  return {
    of(owner, by) {
      const who = checkWho({ owner, by });
      return {
        async append<K extends Kind>(draft: Draft, follows?: Follows) {
          checkDraft(draft);
          return (await bookAppend(
            session,
            { who, draft, ...checked(follows) },
            ids,
          )) as Appended<K>;
        },
        async edit<K extends Kind>(edit: Edit, follows?: Follows) {
          checkEdit(edit);
          return (await bookEdit(
            session,
            { who, edit, ...checked(follows) },
            ids,
          )) as LedgerRecord<K>;
        },
        cancel: (cancel, follows): Promise<Cancelled> =>
          bookCancel(session, { who, cancel, ...checked(follows) }, ids),
      } as Pick<Book, "append" | "edit" | "cancel">;
    },
    hint: () => tell(session.hinted.splice(0)),
  };
}
