import type { ExplainPart, HistoryRange, ChangeView } from "../../../kernel/explain.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { changesFrom } from "../../../kernel/list-all.ts";
import type { Change } from "../../../kernel/query.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";

interface History {
  /** All that were read. */
  readonly changes: readonly Change[];
  readonly history: ChangeView[];
  readonly history_cut: boolean;
}

const historyMax = 500;
const whole: HistoryRange = { countedAt: new Set() };

/** The newest changes of a record. */
export async function historyOf(
  book: Book,
  record: AnyRecord,
  part: ExplainPart | undefined,
): Promise<History> {
  const { from, countedAt } = (await part?.history?.(record, book)) ?? whole;
  const changes = await changesFrom(book, record.id, from);
  const newest = changes.slice(-historyMax);
  return {
    changes,
    history: newest.map((row) => shownChange(row, countedAt)),
    history_cut: from !== undefined || newest.length < changes.length,
  };
}

function shownChange(row: Change, countedAt: ReadonlySet<number | null>): ChangeView {
  const { what, at, by, state, attempt, claimedAt, note } = row;
  // A run's end is written into its schedule in the same unit, so at the same time.
  const isByRun = what === "edited" && countedAt.has(at);
  const claimed = isoOr(claimedAt);
  return { what, at: isoOf(at), by, state, attempt, claimed_at: claimed, note, by_run: isByRun };
}
