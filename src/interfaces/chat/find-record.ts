import type { Kind } from "../../kernel/kinds.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { ListQuery, Page } from "../../kernel/reading.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { Turn } from "./turn.ts";

const pageSize = 500;
/** What lives is looked through this far, and what has ended only among the newest. */
const [livePagesMax, endedPagesMax] = [20, 2];
const whole = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ending = /^[\da-f-]{4,35}$/;

type Found<K extends Kind> = Extract<AnyRecord, { kind: K }>;

/** Whether a word can be an id, or the end of one. */
export function isId(word: string): boolean {
  const typed = plainId(word);
  return whole.test(typed) || ending.test(typed);
}

/** The record of one of these kinds whose id is, or ends in, what was typed. */
export async function findRecord<K extends Kind>(
  { book, texts }: Turn,
  word: string,
  kinds: readonly K[],
): Promise<Found<K>> {
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

interface Sought<K extends Kind> {
  readonly kinds: readonly K[];
  readonly live: boolean;
}

async function endingIn<K extends Kind>(
  book: Book,
  typed: string,
  { kinds, live }: Sought<K>,
): Promise<readonly Found<K>[]> {
  const found: Found<K>[] = [];
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

function isOf<K extends Kind>(record: AnyRecord, kinds: readonly K[]): record is Found<K> {
  return kinds.some((kind) => kind === record.kind);
}

function plainId(word: string): string {
  return word.replace(/^#/, "").toLowerCase();
}
