import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { Reader } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { localTime } from "./local-time.ts";

/** A notification that something else sent, and whether it arrived. */
export const sentView = z.object({
  id: z.string(),
  type: z.string(),
  state: z.string(),
  target: z.string(),
  ended_at: z.string().nullable(),
  receipt: z.unknown(),
});
type SentView = z.infer<typeof sentView>;

const sentMax = 12;
const charsMax = 200;

/** What a record sent, the oldest first. */
export async function sentBy(book: Book, parent: string): Promise<SentView[]> {
  const query = { kind: notificationKind, parent, limit: sentMax } as const;
  const { records } = await book.list(query);
  return records.map(shownSent);
}

export function shownSent(record: LedgerRecord<NotificationKind>): SentView {
  const { id, body, state, endedAt, outcome } = record;
  return {
    id,
    type: body.type ?? "reminder",
    state,
    target: body.target,
    ended_at: isoOr(endedAt),
    receipt: outcome?.receipt ?? null,
  };
}

export function sentLine(sent: SentView, reader: Reader): string {
  const { id, state, target, ended_at: end, receipt } = sent;
  const when = end === null ? null : localTime(end, reader);
  const texts = textsOf(reader.language);
  const head = texts.headline({ kind: "notification", id, state, when, target });
  return `${head}${receiptText(receipt, reader)}`;
}

export function receiptText(receipt: unknown, { language }: Reader): string {
  if (receipt == null) return "";
  return textsOf(language).receipt(oneLine(JSON.stringify(receipt) ?? "", charsMax));
}
