import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Reader } from "../../../kernel/operation.ts";
import type { Change, Page } from "../../../kernel/reading.ts";
import type { AnyRecord, LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, fromIso, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { type ScheduleKind, scheduleKind } from "../../schedules/kind.ts";
import { type TaskKind, taskKind } from "../../tasks/kind.ts";
import type { Texts } from "../../texts/shape.ts";

export const changeView = z.object({
  what: z.enum(["appended", "edited", "kept", "lapsed", "settled", "cancelling", "cancelled"]),
  at: z.string(),
  by: z.string(),
  state: z.string(),
  attempt: z.number(),
  claimed_at: z.string().nullable(),
  note: z.string().nullable(),
  by_run: z.boolean().describe("a run of the schedule was counted: nobody changed it"),
});
export type ShownChange = z.infer<typeof changeView>;

interface History {
  /** All that were read. */
  readonly changes: readonly Change[];
  readonly history: ShownChange[];
  readonly history_cut: boolean;
}

const pageSize = 500;
const historyMax = 500;
const charsMax = 200;
/** So many pages of runs, and of changes, are looked through at most. */
const pagesMax = 20;
const changePagesMax = 2 * pagesMax;

/** The newest changes of a record. A schedule has two with every run: its begin is not read. */
export async function historyOf(book: Book, record: AnyRecord): Promise<History> {
  const { runs, isAll } = is(scheduleKind, record)
    ? await newestRuns(book, record)
    : { runs: [], isAll: true };
  const oldest = runs.at(-1);
  const from = isAll || oldest === undefined ? undefined : await placeOf(book, oldest.id);
  const changes = await changesFrom(book, record.id, from);
  const counted = new Set(runs.flatMap(({ createdAt, endedAt }) => [createdAt, endedAt]));
  const newest = changes.slice(-historyMax);
  return {
    changes,
    history: newest.map((row) => shownChange(row, counted)),
    history_cut: from !== undefined || newest.length < changes.length,
  };
}

/** As many as tell what a schedule is at: while it is paused, all since before that. */
async function newestRuns(
  book: Book,
  { id, state }: LedgerRecord<ScheduleKind>,
): Promise<{ runs: readonly LedgerRecord<TaskKind>[]; isAll: boolean }> {
  const query = { kind: taskKind, parent: id, order: "newest", limit: pageSize } as const;
  const runs: LedgerRecord<TaskKind>[] = [];
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const read: Page<TaskKind> = await book.list(after === undefined ? query : { ...query, after });
    runs.push(...read.records);
    if (read.next === null) return { runs, isAll: true };
    after = read.next;
    if (state !== "paused" || runs.at(-1)?.outcome?.reason !== "paused") break;
  }
  return { runs, isAll: false };
}

/** Where in the book's feed a record begins: other records' changes can be read from there too. */
async function placeOf(book: Book, id: string): Promise<string> {
  return (await book.changes({ id, limit: 1 })).cursor;
}

/** All changes of a record from a place on, the oldest first. */
export async function changesFrom(book: Book, id: string, from?: string): Promise<Change[]> {
  const found: Change[] = [];
  let after = from;
  for (let page = 0; page < changePagesMax; page += 1) {
    const query = { id, limit: pageSize };
    const read = await book.changes(after === undefined ? query : { ...query, after });
    found.push(...read.changes);
    if (read.changes.length < pageSize) break;
    after = read.cursor;
  }
  return found;
}

function shownChange(row: Change, counted: ReadonlySet<number | null>): ShownChange {
  const { what, at, by, state, attempt, claimedAt, note } = row;
  // A run's end is written into its schedule in the same unit, so at the same time.
  const isByRun = what === "edited" && counted.has(at);
  const claimed = isoOr(claimedAt);
  return { what, at: isoOf(at), by, state, attempt, claimed_at: claimed, note, by_run: isByRun };
}

/** What people did to a schedule, and what became of it: not each of its runs. */
export function scheduleChanges(
  history: readonly ShownChange[],
  texts: Texts,
  { zone, language }: Reader,
): string[] {
  return history.flatMap((change, index) => {
    const { what, by, state } = change;
    const when = inWords(fromIso(change.at), zone, language);
    const why = change.note === null ? "" : `: ${oneLine(texts.reason(change.note), charsMax)}`;
    if (what === "cancelled") return [`${texts.cancelledBy({ by, when })}${why}`];
    if (what !== "edited" && what !== "settled") return [];
    const before = history[index - 1]?.state ?? state;
    if (before === state) {
      const isByHand = isEditByHand(change, history[index + 1]);
      return isByHand ? [`${texts.edited({ by, when })}${why}`] : [];
    }
    if (state === "paused") return [texts.pausedBy({ by, when })];
    if (state === "disabled") return [texts.disabledOn(when)];
    if (state !== "active") return [];
    return [what === "edited" ? texts.resumedBy({ by, when }) : texts.wentOn(when)];
  });
}

/** A run's end is an edit too; and a deletion is an edit and a cancel in one unit. */
function isEditByHand({ what, at, by_run: isByRun }: ShownChange, next?: ShownChange): boolean {
  const isDeletion = next?.at === at && ["cancelled", "cancelling"].includes(next.what);
  return what === "edited" && !isByRun && !isDeletion;
}
