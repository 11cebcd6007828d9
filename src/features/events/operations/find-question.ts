import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { type QuestionKind, questionKind } from "../question.ts";

type Question = LedgerRecord<QuestionKind>;

const openMax = 1_000;
/** Of those that are not open, the newest so many are known to whoever comes late. */
const endedMax = 100;
const codeCharsMin = 3;

/** A question by its id, or by the last letters of it, where no other that is open ends so. */
export async function findQuestion(book: Book, which: string): Promise<Question> {
  const record = await book.get(which);
  if (is(questionKind, record)) return record;
  const code = which.trim().toLowerCase();
  const open = await endingIn(book, code, true);
  const [first, second] = open.length > 0 ? open : await endingIn(book, code, false);
  if (first === undefined) {
    const sentence = `There is no question ${quote(which)} in this book: see daybook questions.`;
    throw new DaybookError("not_found", sentence, { details: { id: which } });
  }
  // Of those that are over, the newest is meant: whoever is late hears so.
  if (second === undefined || open.length === 0) return first;
  const ids = open.map(({ id }) => id);
  const sentence = `${quote(which)} could be ${ids.join(" or ")}: write more of it.`;
  throw new DaybookError("conflict", sentence, { details: { ids } });
}

async function endingIn(book: Book, code: string, live: boolean): Promise<readonly Question[]> {
  if (code.length < codeCharsMin) return [];
  const found: Question[] = [];
  const query = { kind: questionKind, live, order: "newest" } as const;
  for await (const question of recordsIn(book, query, live ? openMax : endedMax)) {
    if (question.id.endsWith(code)) found.push(question);
  }
  return found;
}
