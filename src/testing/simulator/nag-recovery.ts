import { finished } from "../../features/nags/change.ts";
import { nagKind } from "../../features/nags/kind.ts";
import { pageUnknown } from "../../features/nags/verdict.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";

const behindMs = 15_000;

/** Its time has come, or it is being sent. One whose page is unknown waits, for ever if the page never comes. */
export async function isBehind(book: Book, id: string, now: number): Promise<boolean> {
  const record = await book.get(id).catch(() => undefined);
  if (!is(nagKind, record) || record.endedAt !== null || record.state !== "active") return false;
  const {
    saying,
    nextAt,
    reason = null,
  } = record.outcome ?? { saying: null, nextAt: record.body.at };
  if (reason === pageUnknown) return false;
  return saying !== null || nextAt === null || nextAt < now - behindMs;
}

export async function endNag(book: Book, id: string): Promise<unknown> {
  const record = await book.get(id);
  if (!is(nagKind, record) || record.endedAt !== null || record.cancelling) return "gone";
  if (record.body.isDone === true) return "gone";
  const { edit, consequences } = finished(record);
  return book.edit(edit, consequences);
}
