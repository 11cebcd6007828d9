import type { Book } from "../../../kernel/ledger.ts";
import {
  type Cancel,
  type Draft,
  type Edit,
  type Consequences,
  isDraft,
  type Wake,
} from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { staleWrite } from "../change.ts";
import { pageKind } from "../page.ts";

/** Everything that a request writes, in one unit. */
export interface SyncUnit {
  readonly create: Draft[];
  readonly edit: Edit[];
  readonly cancel: Cancel[];
  /** Marks on messages. They have ids of their own and may exist already. */
  readonly mark: Draft[];
  readonly wake: Wake[];
}

export function emptyUnit(): SyncUnit {
  return { create: [], edit: [], cancel: [], mark: [], wake: [] };
}

/** Adds a change of one record with its consequences. */
export function addChange(
  unit: SyncUnit,
  change: { edit: Edit; consequences: Consequences },
): void {
  unit.edit.push(change.edit, ...(change.consequences.edit ?? []));
  unit.cancel.push(...(change.consequences.cancel ?? []));
  unit.mark.push(...(change.consequences.append ?? []));
}

/** Throws `stale` when another write came in between: read again and build the unit again. */
export async function writeUnit(
  book: Book,
  { create, edit, cancel, mark, wake }: SyncUnit,
): Promise<void> {
  const [first, ...others] = create;
  const [main, ...edits] = edit;
  try {
    if (first !== undefined) {
      const { fresh } = await book.append(first, {
        append: [...others, ...mark],
        edit,
        cancel,
        wake,
      });
      if (!fresh) throw staleWrite();
      await checkWritten(book, others);
    } else if (main !== undefined) {
      await book.edit(main, { append: mark, edit: edits, cancel, wake });
    }
  } catch (error) {
    throw hasCode(error, "held", "leased", "ended", "conflict") ? staleWrite(error) : error;
  }
}

/** An append silently keeps a record that has the same id, so the written pages must be compared. */
async function checkWritten(book: Book, drafts: readonly Draft[]): Promise<void> {
  const pages = drafts.filter((draft) => isDraft(pageKind, draft));
  const found = await Promise.all(pages.map(({ id = "" }) => book.get(id)));
  const isWritten = ({ body }: (typeof pages)[number], index: number): boolean =>
    JSON.stringify(found[index]?.body) === JSON.stringify(body);
  if (!pages.every(isWritten)) throw staleWrite();
}
