import { is } from "../../../kernel/kind.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { type NagKind, nagKind } from "../kind.ts";
import { pageRecordId, type PageKind, pageKind } from "../page.ts";
import { alarmRecordId } from "./alarm.ts";
import type { ChangesIn } from "./rows.ts";

type Page = LedgerRecord<PageKind>;
type Nag = LedgerRecord<NagKind>;

/** What a push is about, as it stands in the book. */
export interface PushedRecords {
  /** By the client's id. */
  readonly pages: ReadonlyMap<string, Page>;
  /** By the client's id. */
  readonly alarms: ReadonlyMap<string, Nag>;
  /** Of each page, by its client's id: one, but for what is just ending. */
  readonly nagsOf: ReadonlyMap<string, readonly Nag[]>;
}

export async function readPushedRecords(
  changes: ChangesIn,
  context: Context,
): Promise<PushedRecords> {
  const { page, alarm } = changes;
  const alarmRows = [...alarm.created, ...alarm.updated];
  const pageIds = [
    ...[...page.created, ...page.updated].map(({ id }) => id),
    ...page.deleted,
    ...alarmRows.map(({ page_id: id }) => id),
  ];
  const alarmIds = [...alarmRows.map(({ id }) => id), ...alarm.deleted];
  const withNags = [...page.deleted, ...alarmRows.map(({ page_id: id }) => id)];
  return {
    pages: await found(pageIds, (id) => findPage(id, context)),
    alarms: await found(alarmIds, (id) => findAlarm(id, context)),
    nagsOf: await found(withNags, (id) => liveNags(id, context)),
  };
}

async function found<T>(
  ids: readonly string[],
  find: (id: string) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const known = await Promise.all(
    [...new Set(ids)].map(async (id) => ({ id, one: await find(id) })),
  );
  return new Map(known.flatMap(({ id, one }) => (one === undefined ? [] : [[id, one] as const])));
}

async function findPage(id: string, context: Context): Promise<Page | undefined> {
  const record = await bookOf(context).get(pageRecordId(context.owner, id));
  return is(pageKind, record) ? record : undefined;
}

/** Under the id that a client gave it, or under its own. */
async function findAlarm(id: string, context: Context): Promise<Nag | undefined> {
  const book = bookOf(context);
  const record = (await book.get(alarmRecordId(context.owner, id))) ?? (await book.get(id));
  return is(nagKind, record) ? record : undefined;
}

function liveNags(id: string, context: Context): Promise<readonly Nag[]> {
  const parent = pageRecordId(context.owner, id);
  return Array.fromAsync(recordsIn(bookOf(context), { kind: nagKind, parent, live: true }));
}
