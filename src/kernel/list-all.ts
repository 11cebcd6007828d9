import type { Book } from "./ledger.ts";
import type { ListQuery, Page, Change } from "./query.ts";
import type { Shape } from "./shape.ts";

const pageSize = 500;

/** The records of a list query, page after page: all of them, or the first `max`. */
export async function* recordsIn<K extends Shape>(
  book: Book,
  query: Omit<ListQuery<K>, "after" | "limit">,
  max = Infinity,
): AsyncGenerator<Page<K>["records"][number], void> {
  let after: string | null | undefined;
  for (let left = max; left > 0 && after !== null; left -= pageSize) {
    const limit = Math.min(left, pageSize);
    const page: Page<K> = await book.list<K>({ ...query, after, limit });
    yield* page.records;
    after = page.next;
  }
}

/** The most pages that are searched for a match. */
const searchedMax = 20;

/** A page of the records that match. It may be short although more records follow. */
export async function matchingPage<K extends Shape>(
  book: Book,
  query: ListQuery<K>,
  matches: (record: Page<K>["records"][number]) => boolean,
): Promise<Page<K>> {
  let { records, next } = await book.list(query);
  for (let pages = 1; pages < searchedMax && next !== null && !records.some(matches); pages += 1) {
    ({ records, next } = await book.list({ ...query, after: next }));
  }
  return { records: records.filter(matches), next };
}

const pagesMax = 40;

/** All changes of a record after a cursor, the oldest first. */
export async function changesFrom(book: Book, id: string, from?: string): Promise<Change[]> {
  const found: Change[] = [];
  let after = from;
  for (let page = 0; page < pagesMax; page += 1) {
    const read = await book.changes({ id, limit: pageSize, after });
    found.push(...read.changes);
    if (read.changes.length < pageSize) break;
    after = read.cursor;
  }
  return found;
}
