import type { Book } from "../../../kernel/ledger.ts";
import type { ListQuery, Page } from "../../../kernel/reading.ts";
import type { Shape } from "../../../kernel/shape.ts";

/** So many pages are looked through for one that has something to show. */
const pagesMax = 20;

/** A page of what is asked for; it may be short, and more may follow all the same. */
export async function pageWhere<K extends Shape>(
  book: Book,
  query: ListQuery<K>,
  isAsked: (record: Page<K>["records"][number]) => boolean,
): Promise<Page<K>> {
  let { records, next } = await book.list(query);
  for (let pages = 1; pages < pagesMax && next !== null && !records.some(isAsked); pages += 1) {
    ({ records, next } = await book.list({ ...query, after: next }));
  }
  return { records: records.filter(isAsked), next };
}
