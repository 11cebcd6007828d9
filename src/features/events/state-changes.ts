import { isEnd } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { Change } from "../../kernel/reading.ts";
import {
  isChangeMessage,
  subscribedKinds,
  type SubscriptionKind,
  type ToldChange,
} from "./subscription.ts";

interface Turns {
  readonly changes: readonly Omit<ToldChange, "seq">[];
  readonly to: string;
  /** There was nothing more in the feed. */
  readonly isAll: boolean;
}

/** So many changes are looked at, and at most told, at once; then all of it has to arrive before more is told. */
const pageSize = 50;
const historyPage = 500;

/** Reads a book's feed page by page: records of some kinds that came to another state. */
export function turnsIn(
  book: Book,
  { kinds, states }: Pick<SubscriptionKind["body"], "kinds" | "states">,
): (after: string) => Promise<Turns> {
  /** The state of each record as of the last change that was read of it. */
  const known = new Map<string, string>();
  const wanted: readonly string[] = kinds;
  const isTurn = async (change: Change): Promise<boolean> => {
    const kind = subscribedKinds[change.kind];
    if (kind === undefined || change.what === "appended" || isEnd(kind, change.state)) return true;
    if (Object.keys(kind.states).length === 1) return false; // it has no other to come from
    const before = known.get(change.id) ?? (await stateBefore(book, change));
    return before !== change.state;
  };
  return async (after) => {
    const page = await book.changes({ after, limit: pageSize });
    const changes: Omit<ToldChange, "seq">[] = [];
    for (const change of page.changes) {
      const { kind, id, state, at, what } = change;
      // What tells of changes is no change to tell of: that would never end.
      if (!wanted.includes(kind) || isChangeMessage(id) || quiet.has(what)) continue;
      const isNews = await isTurn(change);
      known.set(id, state);
      if (isNews && (states.length === 0 || states.includes(state))) {
        changes.push({ kind, id, state, at });
      }
    }
    return { changes, to: page.cursor, isAll: page.changes.length < pageSize };
  };
}

/** These leave a record in its state. */
const quiet: ReadonlySet<Change["what"]> = new Set(["kept", "lapsed", "cancelling"]);

/** The state a record was in before a change. */
async function stateBefore(book: Book, { id, revision }: Change): Promise<string | undefined> {
  let state: string | undefined;
  for (let after: string | undefined; ;) {
    const query = { id, limit: historyPage };
    const page = await book.changes(after === undefined ? query : { ...query, after });
    for (const change of page.changes) {
      if (change.revision >= revision) return state;
      ({ state } = change);
    }
    if (page.changes.length < historyPage) return state;
    after = page.cursor;
  }
}
