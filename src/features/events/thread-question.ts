import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { notificationKind } from "../notifications/kind.ts";
import { isThread, threadOf } from "../notifications/thread.ts";
import { type QuestionKind, questionKind } from "./question.ts";

type Question = LedgerRecord<QuestionKind>;

/** More open questions than this nobody answers by threads. */
const openMax = 1_000;
/** Of those that are not open, the newest so many are known to whoever comes late. */
const endedMax = 100;

/** Finds what was asked in a thread, the newest first. */
export async function questionIn(
  book: Book,
  thread: string,
  isOpen: boolean,
): Promise<Question | undefined> {
  const query = { kind: questionKind, live: isOpen, order: "newest" } as const;
  for await (const question of recordsIn(book, query, isOpen ? openMax : endedMax)) {
    if (thread === (await placeOf(book, question))) return question;
  }
  return undefined;
}

/** The thread that it was asked in, as a target. */
async function placeOf(book: Book, { body }: Question): Promise<string | undefined> {
  const { thread } = body.about;
  if (thread === null) return isThread(body.target) ? body.target : undefined;
  const first = await book.get(thread);
  if (!is(notificationKind, first) || first.state !== "delivered") return undefined;
  return threadOf(first.body.target, first.outcome?.receipt ?? null);
}
