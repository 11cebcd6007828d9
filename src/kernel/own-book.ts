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

/** One of that kind: what is another's, of another kind or nowhere answers alike. */
export async function find<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  id: string,
): Promise<LedgerRecord<K>> {
  const record = await book.get(id);
  if (is(kind, record)) return record;
  const { name, label = name } = kind;
  const sentence = `There is no ${label} ${quote(id)} in this book${kind.hint?.(id) ?? ""}.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
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
