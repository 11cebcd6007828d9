import { type Kind, is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { ListQuery, Page } from "../../kernel/query.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { Turn } from "./turn.ts";

const pageSize = 500;
/** How many pages of live and of ended records are searched. */
const [livePagesMax, endedPagesMax] = [20, 2];
const whole = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ending = /^[\da-f-]{4,35}$/;

/** A record of one of these kinds. */
type OneOf<Ks extends readonly Kind[]> = Ks[number] extends infer K
  ? K extends Kind<infer S>
    ? LedgerRecord<S>
    : never
  : never;

/** Whether a word can be an id, or the end of one. */
export function isId(word: string): boolean {
  const typed = plainId(word);
  return whole.test(typed) || ending.test(typed);
}

/** The record of one of these kinds whose id is, or ends in, what was typed. */
export async function findRecord<const Ks extends readonly Kind[]>(
  { book, texts }: Turn,
  word: string,
  kinds: Ks,
): Promise<OneOf<Ks>> {
  const typed = plainId(word);
  if (whole.test(typed)) {
    const record = await book.get(typed);
    if (record !== undefined && isOf(record, kinds)) return record;
  } else if (ending.test(typed)) {
    const live = await endingIn(book, typed, { kinds, live: true });
    const found = live.length > 0 ? live : await endingIn(book, typed, { kinds, live: false });
    const [first, second] = found;
    if (second !== undefined) throw new DaybookError("invalid", texts.ambiguous(quote(word)));
    if (first !== undefined) return first;
  }
  throw new DaybookError("not_found", texts.notFound(quote(word)));
}

interface Sought<Ks extends readonly Kind[]> {
  readonly kinds: Ks;
  readonly live: boolean;
}

async function endingIn<Ks extends readonly Kind[]>(
  book: Book,
  typed: string,
  { kinds, live }: Sought<Ks>,
): Promise<readonly OneOf<Ks>[]> {
  const found: OneOf<Ks>[] = [];
  for (const kind of kinds) {
    const query: ListQuery = { kind, live, order: "newest", limit: pageSize };
    const pagesMax = live ? livePagesMax : endedPagesMax;
    let after: string | null = "";
    for (let page = 0; page < pagesMax && after !== null; page += 1) {
      const read: Page = await book.list(after === "" ? query : { ...query, after });
      const ending = read.records.filter(({ id }) => id.endsWith(typed));
      found.push(...ending.filter((record) => isOf(record, kinds)));
      after = read.next;
    }
  }
  return found;
}

function isOf<Ks extends readonly Kind[]>(record: AnyRecord, kinds: Ks): record is OneOf<Ks> {
  return kinds.some((kind) => is(kind, record));
}

function plainId(word: string): string {
  return word.replace(/^#/, "").toLowerCase();
}
