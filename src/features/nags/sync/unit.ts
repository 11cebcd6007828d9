import type { Book } from "../../../kernel/ledger.ts";
import {
  type Cancel,
  type Draft,
  type Edit,
  type Consequences,
  isDraft,
} from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { pageKind } from "../page.ts";

/** All that a request writes, as one unit: whole, or not at all. */
export interface SyncUnit {
  /** Records that are not there yet. */
  readonly make: Draft[];
  readonly edit: Edit[];
  readonly cancel: Cancel[];
  /** What is said of it besides, and may have been said before. */
  readonly mark: Draft[];
}

export function emptyUnit(): SyncUnit {
  return { make: [], edit: [], cancel: [], mark: [] };
}

/** Adds a change of one record, with what follows from it. */
export function addChange(
  unit: SyncUnit,
  change: { edit: Edit; consequences: Consequences },
): void {
  unit.edit.push(change.edit, ...(change.consequences.edit ?? []));
  unit.cancel.push(...(change.consequences.cancel ?? []));
  unit.mark.push(...(change.consequences.append ?? []));
}

/** Throws `stale` when somebody else wrote meanwhile: then it is to be made anew. */
export async function writeUnit(book: Book, { make, edit, cancel, mark }: SyncUnit): Promise<void> {
  const [first, ...others] = make;
  const [main, ...edits] = edit;
  try {
    if (first !== undefined) {
      const { fresh } = await book.append(first, { append: [...others, ...mark], edit, cancel });
      if (!fresh) throw staleWrite();
      await checkWritten(book, others);
    } else if (main !== undefined) {
      await book.edit(main, { append: mark, edit: edits, cancel });
    }
  } catch (error) {
    throw hasCode(error, "held", "leased", "ended", "conflict") ? staleWrite(error) : error;
  }
}

/** What stands already under an id is left as it is, without a word: whether ours was written must be looked up. */
async function checkWritten(book: Book, drafts: readonly Draft[]): Promise<void> {
  const pages = drafts.filter((draft) => isDraft(pageKind, draft));
  const found = await Promise.all(pages.map(({ id = "" }) => book.get(id)));
  const isOurs = ({ body }: (typeof pages)[number], index: number): boolean =>
    JSON.stringify(found[index]?.body) === JSON.stringify(body);
  if (!pages.every(isOurs)) throw staleWrite();
}

function staleWrite(cause?: unknown): DaybookError {
  return new DaybookError("stale", "Another wrote at the same time: ask again.", { cause });
}
