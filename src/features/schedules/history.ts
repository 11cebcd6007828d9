import * as z from "zod";
import type { HistoryRange, ChangeView } from "../../kernel/explain.ts";
import type { Book } from "../../kernel/ledger.ts";
import { changesFrom } from "../../kernel/list-all.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { Page, Change } from "../../kernel/query.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

const pageSize = 500;
const charsMax = 200;
/** How many pages of runs are read at most. */
const pagesMax = 20;

/** A schedule has two changes with every run, so the changes of its oldest runs are not read. */
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

/** The newest page of runs; while it is paused, all runs since before the pause. */
async function newestRuns(
  book: Book,
  { id, state }: LedgerRecord<ScheduleKind>,
): Promise<{ runs: readonly LedgerRecord<TaskKind>[]; isAll: boolean }> {
  const query = { kind: taskKind, parent: id, order: "newest", limit: pageSize } as const;
  const runs: LedgerRecord<TaskKind>[] = [];
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const read: Page<TaskKind> = await book.list({ ...query, after });
    runs.push(...read.records);
    if (read.next === null) return { runs, isAll: true };
    after = read.next;
    if (state !== "paused" || runs.at(-1)?.outcome?.reason !== "paused") break;
  }
  return { runs, isAll: false };
}

/** The position of a record's first change in the feed, from which other records' changes can be read too. */
async function firstCursor(book: Book, id: string): Promise<string> {
  return (await book.changes({ id, limit: 1 })).cursor;
}

/** The changes of a schedule by people and of its state, without those by its runs. */
export function scheduleChanges(history: readonly ChangeView[], reader: Reader): string[] {
  const texts = textsOf(reader.language);
  return history.flatMap((change, index) => {
    const { what, by, state } = change;
    const when = localTime(change.at, reader);
    const reason = change.note === null ? "" : `: ${oneLine(texts.reason(change.note), charsMax)}`;
    if (what === "cancelled") return [`${texts.cancelledBy({ by, when })}${reason}`];
    if (what !== "edited" && what !== "settled") return [];
    const before = history[index - 1]?.state ?? state;
    if (before === state) {
      const isByHand = isEditByHand(change, history[index + 1]);
      return isByHand ? [`${texts.edited({ by, when })}${reason}`] : [];
    }
    if (state === "paused") return [texts.pausedBy({ by, when })];
    if (state === "disabled") return [texts.disabledOn(when)];
    if (state !== "active") return [];
    return [what === "edited" ? texts.resumedBy({ by, when }) : texts.pauseEnded(when)];
  });
}

/** A run's end is an edit too, and a deletion is an edit and a cancel in one unit. */
function isEditByHand({ what, at, by_run: isByRun }: ChangeView, next?: ChangeView): boolean {
  const isDeletion = next?.at === at && ["cancelled", "cancelling"].includes(next.what);
  return what === "edited" && !isByRun && !isDeletion;
}

/** A pause of one schedule or of a scope. */
export const pauseView = z.object({
  scope: z
    .string()
    .describe("what is paused: schedule, all, kind NAME, owner NAME or channel NAME"),
  by: z.string().nullable().describe("the caller that paused it; null: that change was pruned"),
  since: z.string().nullable(),
  until: z
    .string()
    .nullable()
    .describe("when it resumes by itself; null: not before it is resumed"),
  reason: z.string().nullable(),
});
export type PauseView = z.infer<typeof pauseView>;

/** The current pause of a schedule, by its newest changes. */
export function pauseNow(
  { state, outcome }: LedgerRecord<ScheduleKind>,
  changes: readonly Change[],
): PauseView | null {
  if (state !== "paused") return null;
  const { by = null, since = null } = pausesIn(changes).at(-1) ?? {};
  const until = isoOr(outcome?.pausedUntil);
  return { scope: "schedule", by, since: isoOr(since), until, reason: outcome?.reason ?? null };
}

/** The pause that a slot was skipped in. */
export async function pauseThen(
  book: Book,
  { body }: LedgerRecord<TaskKind>,
  schedule: LedgerRecord<ScheduleKind>,
): Promise<PauseView | null> {
  const changes = await changesFrom(book, schedule.id);
  const pause = pausesIn(changes).find(({ endedAt }) => (endedAt ?? Infinity) >= body.at);
  if (pause === undefined) return null;
  if (pause.endedAt === null) return pauseNow(schedule, changes);
  const { by, since, endedAt } = pause;
  return { scope: "schedule", by, since: isoOr(since), until: isoOr(endedAt), reason: null };
}

interface Paused {
  by: string | null;
  since: number | null;
  endedAt: number | null;
}

/** Every pause in these changes, which may start in the middle of one. */
function pausesIn(rows: readonly Change[]): readonly Paused[] {
  const found: Paused[] = [];
  for (const [index, { state, by, at }] of rows.entries()) {
    const before = rows[index - 1]?.state;
    const newest = found.at(-1);
    if (state === "paused" && before !== "paused") {
      const start = before === undefined ? { by: null, since: null } : { by, since: at };
      found.push({ ...start, endedAt: null });
    } else if (state !== "paused" && before === "paused" && newest !== undefined) {
      newest.endedAt = at;
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
  // The default reason only repeats who paused it.
  const hasReason = pause.reason !== null && pause.reason !== `paused by ${by}`;
  const reason = hasReason ? oneLine(texts.reason(pause.reason ?? ""), charsMax) : null;
  const about = { by, since, until, reason };
  return [scope === "schedule" ? texts.pausedSince(about) : texts.heldBack({ scope, ...about })];
}
