import * as z from "zod";
import { type Nag, nagOutcome, nextOf } from "../kind.ts";
import type { Page } from "../page.ts";
import { alarmIdOf } from "./alarm.ts";

// The rows that syncing clients keep of pages and nags ("alarms"), in the shape of WatermelonDB.

const rowsMax = 3_000;

const clientId = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^[^\p{C}\p{Z}](?:[^\p{C}]*[^\p{C}\p{Z}])?$/u,
    "write printable characters, without spaces around them",
  );

const pageIn = z.looseObject({
  id: clientId,
  title: z.string().nullish(),
  body: z.string().nullish(),
});
export type PageIn = z.output<typeof pageIn>;

const alarmIn = z.looseObject({ id: clientId, page_id: clientId });
export type AlarmIn = z.output<typeof alarmIn>;

function tableIn<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    created: z.array(row).max(rowsMax).default([]),
    updated: z.array(row).max(rowsMax).default([]),
    deleted: z.array(clientId).max(rowsMax).default([]),
  });
}

/** Clients may send other tables, which are ignored. */
export const changesIn = z.looseObject({
  page: tableIn(pageIn).prefault({}),
  alarm: tableIn(alarmIn).prefault({}),
});
export type ChangesIn = z.output<typeof changesIn>;

const moment = z.number().describe("milliseconds since 1970");

const pageOut = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  created_at: moment,
  updated_at: moment,
});

const alarmOut = z.object({
  id: z.string(),
  page_id: z.string(),
  user_id: z.string(),
  next_alarm_time: moment.nullable(),
  sent_count: z.number(),
  last_notification_id: z.string().nullable(),
  created_at: moment,
  updated_at: moment,
});

function tableOut<Row extends z.ZodType>(row: Row) {
  return z.object({ created: z.array(row), updated: z.array(row), deleted: z.array(z.string()) });
}

export const changesOut = z.object({ page: tableOut(pageOut), alarm: tableOut(alarmOut) });
export type ChangesOut = z.output<typeof changesOut>;

export function pageRow(record: Page): z.output<typeof pageOut> {
  const { pageId: id, title, body } = record.body;
  return { id, title, body, created_at: record.createdAt, updated_at: record.updatedAt };
}

/** Undefined for a nag about a text: a client with pages cannot show it. */
export function alarmRow(record: Nag): z.output<typeof alarmOut> | undefined {
  const { about } = record.body;
  if (!("page" in about)) return undefined;
  const { count, lastReceiptId } = nagOutcome(record);
  return {
    id: alarmIdOf(record),
    page_id: about.page,
    user_id: record.owner,
    next_alarm_time: nextOf(record),
    sent_count: count,
    last_notification_id: lastReceiptId,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
