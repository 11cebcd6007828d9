import { retryIfStale } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import type { Edit } from "../../../kernel/unit.ts";
import type { ReadDraft } from "./drafts.ts";
import type { LineProblem, ReadRecord } from "./read.ts";

/** Which records of a file the book has already. */
export interface Here {
  readonly absent: readonly ReadRecord[];
  readonly present: readonly ReadRecord[];
  readonly problems: readonly LineProblem[];
}

export async function findHere(records: readonly ReadRecord[], book: Book): Promise<Here> {
  const found = await Promise.all(records.map(({ record }) => book.get(record.id)));
  const isAbsent = (_: ReadRecord, index: number): boolean => found[index] === undefined;
  const isOther = ({ record }: ReadRecord, index: number): boolean =>
    found[index] !== undefined && found[index].kind !== record.kind;
  return {
    absent: records.filter(isAbsent),
    present: records.filter((read, index) => !isAbsent(read, index) && !isOther(read, index)),
    problems: records.flatMap((read, index) => {
      const { line, record } = read;
      if (!isOther(read, index)) return [];
      const problem = `The book has a ${found[index]?.kind} with this id.`;
      return [{ line, id: record.id, problem }];
    }),
  };
}

/** Writes all of them in one unit: all or none. */
export async function writeUnit(drafts: readonly ReadDraft[], book: Book): Promise<void> {
  const [first, ...others] = drafts.map(({ draft }) => draft);
  if (first !== undefined) await book.append(first, { append: others });
}

/** Gives parked records their time, in one unit. Answers how many were parked. */
export async function startParked(records: readonly ReadRecord[], book: Book): Promise<number> {
  return retryIfStale(async () => {
    const found = await Promise.all(records.map(({ record }) => book.get(record.id)));
    const edits = records.flatMap(({ record }, index) => startOf(record, found[index]));
    const [first, ...others] = edits;
    if (first !== undefined) await book.edit(first, { edit: others });
    return edits.length;
  });
}

/**
 * Only an import leaves a record that has a time in its file, and here has none although nothing has happened to it since
 * it was written.
 */
function startOf(
  { readyAt, cancelling }: ReadRecord["record"],
  here: AnyRecord | undefined,
): readonly Edit[] {
  if (here === undefined || readyAt === null || cancelling) return [];
  const { kind, id, revision, endedAt, attempt } = here;
  const isUntouched = revision === 1 && endedAt === null && attempt === 0;
  if (!isUntouched || here.readyAt !== null) return [];
  return [{ kind, id, ifRevision: 1, wakeAt: readyAt }];
}
