import * as z from "zod";
import type { HistoryRange } from "../../kernel/explain.ts";
import type { Book } from "../../kernel/ledger.ts";
import { changesFrom } from "../../kernel/list-all.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { Page, Change } from "../../kernel/reading.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { ChangeView } from "../../kernel/story.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

const pageSize = 500;
const charsMax = 200;
/** So many pages of runs are read at most. */
const pagesMax = 20;

/** A schedule has two changes with every run: those of its first runs are not read. */
export async function historyRange(
  book: Book,
  record: LedgerRecord<ScheduleKind>,
): Promise<HistoryRange> {
  const { runs, isAll } = await newestRuns(book, record);
  const oldest = runs.at(-1);
  const from = isAll || oldest === undefined ? undefined : await firstCursor(book, oldest.id);
  const countedAt = new Set(runs.flatMap(({ createdAt, endedAt }) => [createdAt, endedAt]));
  return { from, countedAt };
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
async function firstCursor(book: Book, id: string): Promise<string> {
  return (await book.changes({ id, limit: 1 })).cursor;
}

/** What people did to a schedule, and what became of it: not each of its runs. */
export function scheduleChanges(history: readonly ChangeView[], reader: Reader): string[] {
  const texts = textsOf(reader.language);
  return history.flatMap((change, index) => {
    const { what, by, state } = change;
    const when = localTime(change.at, reader);
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
function isEditByHand({ what, at, by_run: isByRun }: ChangeView, next?: ChangeView): boolean {
  const isDeletion = next?.at === at && ["cancelled", "cancelling"].includes(next.what);
  return what === "edited" && !isByRun && !isDeletion;
}

/** A pause: of one schedule, or of much at once. */
export const pauseView = z.object({
  scope: z.string().describe("schedule, all, kind NAME, owner NAME or channel NAME"),
  by: z.string().nullable().describe("who paused it; null: not known any more"),
  since: z.string().nullable(),
  until: z.string().nullable().describe("null: until it is resumed"),
  reason: z.string().nullable(),
});
export type PauseView = z.infer<typeof pauseView>;

/** The pause that a schedule is in, by its newest changes. */
export function pauseNow(
  { state, outcome }: LedgerRecord<ScheduleKind>,
  changes: readonly Change[],
): PauseView | null {
  if (state !== "paused") return null;
  const { by = null, since = null } = pausesIn(changes).at(-1) ?? {};
  const until = isoOr(outcome?.pausedUntil);
  return { scope: "schedule", by, since: isoOr(since), until, reason: outcome?.reason ?? null };
}

/** The pause because of which a slot was skipped: it lasted until after that, or still does. */
export async function pauseThen(
  book: Book,
  { body }: LedgerRecord<TaskKind>,
  schedule: LedgerRecord<ScheduleKind>,
): Promise<PauseView | null> {
  const changes = await changesFrom(book, schedule.id);
  const pause = pausesIn(changes).find(({ over }) => (over ?? Infinity) >= body.at);
  if (pause === undefined) return null;
  if (pause.over === null) return pauseNow(schedule, changes);
  const { by, since, over } = pause;
  return { scope: "schedule", by, since: isoOr(since), until: isoOr(over), reason: null };
}

interface Paused {
  by: string | null;
  since: number | null;
  over: number | null;
}

/** From the change that made it paused to the one that no longer is; the rows may begin in the middle. */
function pausesIn(rows: readonly Change[]): readonly Paused[] {
  const found: Paused[] = [];
  for (const [index, { state, by, at }] of rows.entries()) {
    const before = rows[index - 1]?.state;
    const newest = found.at(-1);
    if (state === "paused" && before !== "paused") {
      const start = before === undefined ? { by: null, since: null } : { by, since: at };
      found.push({ ...start, over: null });
    } else if (state !== "paused" && before === "paused" && newest !== undefined) {
      newest.over = at;
    }
  }
  return found;
}

export function pauseLines(pause: PauseView | null, reader: Reader): string[] {
  if (pause === null) return [];
  const texts = textsOf(reader.language);
  const { scope, by } = pause;
  const since = pause.since === null ? null : localTime(pause.since, reader);
  const until = pause.until === null ? null : localTime(pause.until, reader);
  // Without a reason of its own, a pause says who made it.
  const hasReason = pause.reason !== null && pause.reason !== `paused by ${by}`;
  const reason = hasReason ? oneLine(texts.reason(pause.reason ?? ""), charsMax) : null;
  const about = { by, since, until, reason };
  return [scope === "schedule" ? texts.pausedSince(about) : texts.heldBack({ scope, ...about })];
}
