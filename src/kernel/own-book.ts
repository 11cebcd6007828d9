import { DaybookError, hasCode } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";
import type { Kind } from "./kinds.ts";
import type { Book } from "./ledger.ts";
import type { Context } from "./operation.ts";
import type { LedgerRecord } from "./record.ts";

export function bookOf({ ledger, owner, by }: Context): Book {
  return ledger.of(owner, by);
}

/** One of that kind: what is another's, of another kind or nowhere answers alike. */
export async function find<K extends Kind>(
  book: Book,
  kind: K,
  id: string,
): Promise<LedgerRecord<K>> {
  const record = await book.get(id);
  if (record?.kind === kind) return record as LedgerRecord<K>;
  const called = kind === "task" ? "run or task" : kind;
  const sentence = `There is no ${called} ${quote(id)} in this book${hintFor(kind, id)}.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}

/** Where to look instead, by the form of the id alone: whether there is such a thing is not told. */
function hintFor(kind: Kind, id: string): string {
  if (/^q-[\d-]{1,40}$/.test(id)) {
    return `: of questions, see daybook question ${id}, or daybook cancel-question ${id}`;
  }
  return kind === "task" ? ": see daybook runs SCHEDULE, or daybook tasks" : "";
}

const triesMax = 5;

/** Reads and writes again when somebody else wrote in between. */
export async function untilFresh<Answer>(
  act: () => Promise<Answer>,
  triesAtMost = triesMax,
): Promise<Answer> {
  for (let tries = 1; tries < triesAtMost; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (!hasCode(error, "stale")) throw error;
    }
  }
  return act();
}
