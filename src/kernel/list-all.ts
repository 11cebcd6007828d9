import type { Book } from "./ledger.ts";
import { pageSize as limitOf, type ListQuery, type Page, type Change } from "./query.ts";
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

/** The most pages of 500 records that are searched for matches. */
const searchedMax = 20;

/** A page of the records that match, the whole page if enough are found. It may be short although more records follow. */
export async function matchingPage<K extends Shape>(
  book: Book,
  query: ListQuery<K>,
  matches: (record: Page<K>["records"][number]) => boolean,
): Promise<Page<K>> {
  const wanted = limitOf(query.limit);
  const found: Page<K>["records"][number][] = [];
  let { after } = query;
  // Without a filter the first page has all; the others are as large as they may be.
  for (let size = wanted, pages = 0; pages < searchedMax; size = pageSize, pages += 1) {
    const page = await book.list<K>({ ...query, after, limit: size });
    for (const [at, record] of page.records.entries()) {
      if (!matches(record)) continue;
      found.push(record);
      if (found.length < wanted) continue;
      const isLast = at === page.records.length - 1;
      // The cursor after this record is only known from a page that ends with it.
      const { next } = isLast ? page : await book.list<K>({ ...query, after, limit: at + 1 });
      return { records: found, next };
    }
    if (page.next === null) return { records: found, next: null };
    after = page.next;
  }
  return { records: found, next: after ?? null };
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
