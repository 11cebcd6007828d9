import { type Kind, is } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { ListQuery, Page } from "./query.ts";
import type { AnyRecord, LedgerRecord } from "./record.ts";

const pageSize = 500;
/** How many pages of live and of ended records are searched. */
const [livePagesMax, endedPagesMax] = [20, 2];
const complete = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ending = /^[\da-f-]{4,35}$/;

/** A record of one of these kinds. */
export type RecordOfAny<Kinds extends readonly Kind[]> = Kinds[number] extends infer K
  ? K extends Kind<infer S>
    ? LedgerRecord<S>
    : never
  : never;

/** Whether a typed word can be an id, or the end of one. */
export function isTypedId(word: string): boolean {
  const id = plainId(word);
  return complete.test(id) || ending.test(id);
}

/** The records of these kinds whose id is, or ends in, what was typed: live ones, or else ended ones. */
export async function findByTypedId<const Kinds extends readonly Kind[]>(
  book: Book,
  word: string,
  kinds: Kinds,
): Promise<readonly RecordOfAny<Kinds>[]> {
  const typed = plainId(word);
  if (complete.test(typed)) {
    const record = await book.get(typed);
    return record !== undefined && isOf(record, kinds) ? [record] : [];
  }
  if (!ending.test(typed)) return [];
  const live = await endingIn(book, typed, { kinds, live: true });
  return live.length > 0 ? live : endingIn(book, typed, { kinds, live: false });
}

async function endingIn<Kinds extends readonly Kind[]>(
  book: Book,
  typed: string,
  { kinds, live }: { readonly kinds: Kinds; readonly live: boolean },
): Promise<readonly RecordOfAny<Kinds>[]> {
  const found: RecordOfAny<Kinds>[] = [];
  for (const kind of kinds) {
    const query: ListQuery = { kind, live, order: "newest", limit: pageSize };
    const pagesMax = live ? livePagesMax : endedPagesMax;
    let after: string | null = "";
    for (let page = 0; page < pagesMax && after !== null; page += 1) {
      const read: Page = await book.list(after === "" ? query : { ...query, after });
      const matching = read.records.filter(({ id }) => id.endsWith(typed));
      found.push(...matching.filter((record) => isOf(record, kinds)));
      after = read.next;
    }
  }
  return found;
}

function isOf<Kinds extends readonly Kind[]>(
  record: AnyRecord,
  kinds: Kinds,
): record is RecordOfAny<Kinds> {
  return kinds.some((kind) => is(kind, record));
}

function plainId(word: string): string {
  return word.replace(/^#/, "").toLowerCase();
}
