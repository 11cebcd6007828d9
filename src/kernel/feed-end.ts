import type { Book } from "./ledger.ts";

const pageSize = 500;

/**
 * The cursor of a book's newest change; undefined: the book has had no record. The feed has no name for its end, but the
 * change that made the newest record is near it. Given a cursor, it is read on from there.
 */
export async function feedEnd(book: Book, from?: string): Promise<string | undefined> {
  const start = from ?? (await creationOfNewest(book));
  if (start === undefined) return undefined;
  for (let after = start; ;) {
    const { changes, cursor } = await book.changes({ after, limit: pageSize });
    after = cursor;
    if (changes.length < pageSize) return after;
  }
}

async function creationOfNewest(book: Book): Promise<string | undefined> {
  const [newest] = (await book.list({ order: "newest", limit: 1 })).records;
  if (newest === undefined) return undefined;
  return (await book.changes({ id: newest.id, limit: 1 })).cursor;
}
