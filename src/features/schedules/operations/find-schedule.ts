import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** So many are looked through at most. */
const schedulesMax = 10_000;

/** By its id or its name: what is another's, of another kind or nowhere answers alike. */
export async function findSchedule(book: Book, which: string): Promise<Schedule> {
  const record = await book.get(which);
  if (is(scheduleKind, record)) return record;
  const found = (await named(book, which, true)) ?? (await named(book, which, false));
  if (found !== undefined) return found;
  const sentence = `There is no schedule ${quote(which)} in this book: see daybook schedules.`;
  throw new DaybookError("not_found", sentence, { details: { id: which } });
}

/** The newest of that name: only one of those that live has it. */
async function named(book: Book, name: string, live: boolean): Promise<Schedule | undefined> {
  const same = name.toLowerCase();
  const all = await schedulesIn(book, { live, order: "newest" });
  return all.find(({ body }) => body.name.toLowerCase() === same);
}

/** One that can still be changed. */
export async function findLive(book: Book, which: string): Promise<Schedule> {
  const record = await findSchedule(book, which);
  const { state, endedAt, cancelling } = record;
  if (endedAt === null && !cancelling) return record;
  const why = endedAt === null || state === "cancelled" ? "deleted" : state;
  throw new DaybookError("ended", `It is ${why}, so it cannot be changed: make another one.`, {
    details: { state },
  });
}

export async function schedulesIn(
  book: Book,
  request: Pick<ListQuery, "live" | "state" | "order">,
): Promise<readonly Schedule[]> {
  return Array.fromAsync(recordsIn(book, { ...request, kind: scheduleKind }, schedulesMax));
}
