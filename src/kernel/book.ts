import { hasCode } from "../platform/errors.ts";
import { findById, noRecord } from "./id-prefix.ts";
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

/** The record of that kind, by its id or the start of it. Throws the same error for another owner's record, another kind and a missing record. */
export async function findRecord<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  id: string,
): Promise<LedgerRecord<K>> {
  const record = await findById(book, id, [kind]);
  if (record !== undefined) return record;
  const { name, label = name } = kind;
  throw noRecord(label, id, kind.hint?.(id));
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
