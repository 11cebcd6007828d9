import { bookOf, recordOf } from "../../../kernel/book.ts";
import type { Context } from "../../../kernel/operation.ts";
import { type Nag, nagKind } from "../kind.ts";
import { liveNagsOf } from "../operations/pages.ts";
import { type Page, pageKind, pageRecordId } from "../page.ts";
import { alarmRecordId } from "./alarm.ts";
import type { ChangesIn } from "./rows.ts";

/** The records of the book that a push is about. */
export interface PushedRecords {
  /** By the client's id. */
  readonly pages: ReadonlyMap<string, Page>;
  /** By the client's id. */
  readonly alarms: ReadonlyMap<string, Nag>;
  /** The live nags about each page, by the page's client id: one, beside those that are being cancelled. */
  readonly nagsOf: ReadonlyMap<string, readonly Nag[]>;
}

export async function readPushedRecords(
  { page, alarm }: ChangesIn,
  context: Context,
): Promise<PushedRecords> {
  const book = bookOf(context);
  const recordIdOf = (pageId: string): string => pageRecordId(context.owner, pageId);
  const pages = [...page.created, ...page.updated];
  const alarms = [...alarm.created, ...alarm.updated];
  const withNag = [...page.deleted, ...alarms.map(({ page_id: id }) => id)];
  const known = await found([...idsOf(pages), ...withNag], (id) =>
    recordOf(book, pageKind, recordIdOf(id)),
  );
  const unknown = idsOf(pages).filter((id) => !known.has(id));
  return {
    pages: known,
    // By the client's id, or by the record's own.
    alarms: await found(
      [...idsOf(alarms), ...alarm.deleted],
      async (id) =>
        (await recordOf(book, nagKind, alarmRecordId(context.owner, id))) ??
        (await recordOf(book, nagKind, id)),
    ),
    nagsOf: await found([...withNag, ...unknown], (id) => liveNagsOf(book, recordIdOf(id))),
  };
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

async function found<T>(
  ids: readonly string[],
  find: (id: string) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const all = await Promise.all([...new Set(ids)].map(async (id) => ({ id, one: await find(id) })));
  return new Map(all.flatMap(({ id, one }) => (one === undefined ? [] : [[id, one] as const])));
}
