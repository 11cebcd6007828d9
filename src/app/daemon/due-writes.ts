import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";

/** The ledger, and whether what was asked of it since is left for a node to do. */
export function noteDueWrites(ledger: Ledger): { ledger: Ledger; hasDue(): boolean } {
  let hasDue = false;
  const note = (record: AnyRecord | null, { append = [] }: Consequences = {}): void => {
    // Other consequences only move work that waited before, and what is paused is not asked to happen.
    hasDue ||=
      (record !== null && record.wakeAt !== null && record.state !== "paused") ||
      append.some((draft) => "wakeAt" in draft && draft.wakeAt !== undefined);
  };
  const noted = (book: Book): Book => ({
    ...book,
    async append(draft, consequences) {
      const answer = await book.append(draft, consequences);
      note(answer.record, consequences);
      return answer;
    },
    async edit(edit, consequences) {
      const record = await book.edit(edit, consequences);
      note(record, consequences);
      return record;
    },
    async cancel(cancel, consequences) {
      const answer = await book.cancel(cancel, consequences);
      note(answer.record, consequences);
      return answer;
    },
  });
  return {
    ledger: { ...ledger, of: (owner, by) => noted(ledger.of(owner, by)) },
    hasDue: () => hasDue,
  };
}
