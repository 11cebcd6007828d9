import type { Book } from "./ledger.ts";
import type { ListQuery, Page } from "./reading.ts";
import type { Shape } from "./shape.ts";

const pageSize = 500;

/** What a book lists, page after page: all of it, or the first so many. */
export async function* recordsIn<K extends Shape>(
  book: Book,
  query: Omit<ListQuery<K>, "after" | "limit">,
  most = Infinity,
): AsyncGenerator<Page<K>["records"][number], void> {
  let after: string | null | undefined;
  for (let left = most; left > 0 && after !== null; left -= pageSize) {
    const limit = Math.min(left, pageSize);
    const page: Page<K> = await book.list<K>({ ...query, after, limit });
    yield* page.records;
    after = page.next;
  }
}
