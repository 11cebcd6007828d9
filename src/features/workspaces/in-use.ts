import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { workspaceKind } from "./kind.ts";
import { touched, type RunningLimits } from "./request.ts";

interface InUseOptions {
  ledger: Ledger;
  now(): number;
  limits(): RunningLimits;
}

/** Writes down that a workspace is used now: for as long as it is, it is not put to sleep. */
export function inUse({
  ledger,
  now,
  limits,
}: InUseOptions): (who: { owner: string; by: string }, id: string) => Promise<void> {
  return async ({ owner, by }, id) => {
    const book = ledger.of(owner, by);
    const record = await book.get(id);
    if (!is(workspaceKind, record) || record.endedAt !== null) return;
    const edit = touched(record, now(), limits());
    // Whoever changed it meanwhile used it too, or says what is to be: that stands.
    if (edit !== undefined) await book.edit(edit);
  };
}
