import { findById, isOf, type RecordOfAny } from "./id-prefix.ts";
import type { Kind } from "./kind.ts";
import type { Book } from "./ledger.ts";
import type { ListQuery, Page } from "./query.ts";

const pageSize = 500;
/** How many pages of live and of ended records are searched. */
const [livePagesMax, endedPagesMax] = [20, 2];
const ending = /^[\da-f-]{4,36}$/;
/** `task-20261118-107`, or the start of it. */
const named = /^[a-z]+-\d{8}(?:-\d*)?$/;

/** Whether a typed word can be an id, or the start or end of one. */
export function isTypedId(word: string): boolean {
  const id = plainId(word);
  return ending.test(id) || named.test(id);
}

/**
 * The records of these kinds whose id is, starts with, or ends in what was typed: chats print the end. Of those that
 * end in it, live ones, or else ended ones. Throws when several start with it.
 */
export async function findByTypedId<const Kinds extends readonly Kind[]>(
  book: Book,
  word: string,
  kinds: Kinds,
): Promise<readonly RecordOfAny<Kinds>[]> {
  const typed = plainId(word);
  const found = await findById(book, typed, kinds);
  if (found !== undefined) return [found];
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

function plainId(word: string): string {
  return word.replace(/^#/, "").toLowerCase();
}
