import { DaybookError } from "../../base/errors.ts";
import type { Book } from "../../ledger/ledger.ts";
import type { LedgerRecord } from "../../rules/record.ts";
import { quote } from "../../rules/text.ts";

/** What is another's, of another kind or nowhere answers alike. */
export async function findRun(book: Book, id: string): Promise<LedgerRecord<"task">> {
  const record = await book.get(id);
  if (record?.kind === "task") return record;
  const sentence = `There is no run ${quote(id)} in this book: see daybook runs.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}
