import { DaybookError, hasCode } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";
import { is, type Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { Context } from "./operation.ts";
import type { LedgerRecord } from "./record.ts";
import type { Shape } from "./shape.ts";

export function bookOf({ ledger, owner, by }: Context): Book {
  return ledger.of(owner, by);
}

/** The record of that kind. Undefined without an id, and when the book has no such record. */
export async function recordOf<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  id: string | null | undefined,
): Promise<LedgerRecord<K> | undefined> {
  const record = id == null ? undefined : await book.get(id);
  return is(kind, record) ? record : undefined;
}

/** The record of that kind. Throws the same error for another owner's record, another kind and a missing record. */
export async function findRecord<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  id: string,
): Promise<LedgerRecord<K>> {
  const record = await recordOf(book, kind, id);
  if (record !== undefined) return record;
  const { name, label = name } = kind;
  const sentence = `There is no ${label} ${quote(id)} in this book${kind.hint?.(id) ?? ""}.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}

const triesMax = 5;

/** Reads and writes again when the record has changed in between. */
export async function retryIfStale<Answer>(
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
