import type { Book } from "./ledger.ts";
import type { Change } from "./reading.ts";

const pageSize = 500;
const pagesMax = 40;

/** All changes of a record after a cursor, the oldest first. */
export async function changesFrom(book: Book, id: string, from?: string): Promise<Change[]> {
  const found: Change[] = [];
  let after = from;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { id, limit: pageSize };
    const read = await book.changes(after === undefined ? query : { ...query, after });
    found.push(...read.changes);
    if (read.changes.length < pageSize) break;
    after = read.cursor;
  }
  return found;
}
