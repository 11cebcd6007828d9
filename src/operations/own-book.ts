import { DaybookError, hasCode } from "../base/errors.ts";
import type { Book } from "../ledger/ledger.ts";
import type { Kind } from "../rules/kinds.ts";
import type { LedgerRecord } from "../rules/record.ts";
import { quote } from "../rules/text.ts";
import type { Context } from "./operation.ts";

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
  const [called, hint] = kind === "task" ? ["run", ": see daybook runs SCHEDULE"] : [kind, ""];
  const sentence = `There is no ${called} ${quote(id)} in this book${hint}.`;
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
