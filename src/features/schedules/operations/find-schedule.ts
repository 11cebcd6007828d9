import { findByStart, noRecord } from "../../../kernel/id-prefix.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { ListQuery } from "../../../kernel/query.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const schedulesMax = 10_000;

/** By id, by name, or by the start of the id. Another owner's schedule, another kind of record and a missing one give the same error. */
export async function findSchedule(book: Book, which: string): Promise<Schedule> {
  const record = await book.get(which);
  if (is(scheduleKind, record)) return record;
  // Only one live schedule has a name; of the ended ones, the newest counts.
  const [live] = await schedulesNamed(book, which, { live: true });
  const [found] = live ? [live] : await schedulesNamed(book, which, { live: false });
  const schedule = found ?? (await findByStart(book, which, [scheduleKind]));
  if (schedule !== undefined) return schedule;
  throw noRecord("schedule", which, ": see daybook schedule list");
}

/** The schedules with a name, newest first. */
export async function schedulesNamed(
  book: Book,
  name: string,
  { live }: { live: boolean },
): Promise<readonly Schedule[]> {
  const wanted = name.toLowerCase();
  const all = await schedulesIn(book, { live, order: "newest" });
  return all.filter(({ body }) => body.name.toLowerCase() === wanted);
}

/** A schedule that can still be changed. */
export async function findLive(book: Book, which: string): Promise<Schedule> {
  const record = await findSchedule(book, which);
  const { state, endedAt, cancelling } = record;
  if (endedAt === null && !cancelling) return record;
  const end = endedAt === null || state === "cancelled" ? "deleted" : state;
  const sentence = `The schedule is ${end} and cannot be changed: create another one.`;
  throw new DaybookError("ended", sentence, { details: { state } });
}

export async function schedulesIn(
  book: Book,
  request: Pick<ListQuery, "live" | "state" | "order">,
): Promise<readonly Schedule[]> {
  return Array.fromAsync(recordsIn(book, { ...request, kind: scheduleKind }, schedulesMax));
}
