import type { Context } from "../../../kernel/operation.ts";
import { bookOf, recordOf } from "../../../kernel/own-book.ts";
import { type Nag, nagKind } from "../kind.ts";
import { liveNagsOf } from "../operations/pages.ts";
import { type Page, pageKind, pageRecordId } from "../page.ts";
import { alarmRecordId } from "./alarm.ts";
import type { ChangesIn } from "./rows.ts";

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
  { page, alarm }: ChangesIn,
  context: Context,
): Promise<PushedRecords> {
  const book = bookOf(context);
  const recordIdOf = (pageId: string): string => pageRecordId(context.owner, pageId);
  const pages = [...page.created, ...page.updated];
  const alarms = [...alarm.created, ...alarm.updated];
  const nagged = [...page.deleted, ...alarms.map(({ page_id: id }) => id)];
  return {
    pages: await found([...idsOf(pages), ...nagged], (id) =>
      recordOf(book, pageKind, recordIdOf(id)),
    ),
    // Under the id that a client gave it, or under its own.
    alarms: await found(
      [...idsOf(alarms), ...alarm.deleted],
      async (id) =>
        (await recordOf(book, nagKind, alarmRecordId(context.owner, id))) ??
        (await recordOf(book, nagKind, id)),
    ),
    nagsOf: await found(nagged, (id) => liveNagsOf(book, recordIdOf(id))),
  };
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
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
