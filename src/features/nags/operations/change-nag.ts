import { bookOf, findRecord, recordOf, retryIfStale } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import type { Draft } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { notificationKind, marksOf, type MarkOf } from "../../notifications/index.ts";
import { staleWrite, type NagChange } from "../change.ts";
import { type Nag, nagKind } from "../kind.ts";

/** A change, and the mark that messages already sent show for it. */
interface Change extends NagChange {
  readonly mark?: MarkOf;
}

/** The controller writes too, and may win the race more than once. */
const triesMax = 20;

/** Decides on the fresh record and writes the change in one unit. `undefined` leaves the nag unchanged. */
export async function changeNag(
  id: string,
  context: Context,
  change: (record: Nag) => Change | undefined,
): Promise<{ record: Nag; changed: boolean }> {
  const book = bookOf(context);
  return retryIfStale(async () => {
    const record = await findRecord(book, nagKind, id);
    const decided = change(record);
    if (decided === undefined) return { record, changed: false };
    const { edit, consequences, mark } = decided;
    const marks = mark === undefined ? [] : await marksOn(record, mark, context);
    const append = [...(consequences.append ?? []), ...marks];
    try {
      return { record: await book.edit(edit, { ...consequences, append }), changed: true };
    } catch (error) {
      // Claimed or ended since it was read: read it and decide again.
      throw hasCode(error, "leased", "ended") ? staleWrite(error) : error;
    }
  }, triesMax);
}

/** Marks for the message that is being sent and for the last one that was delivered. */
export async function marksOn(
  { outcome }: Nag,
  mark: MarkOf,
  context: Context,
): Promise<readonly Draft[]> {
  const book = bookOf(context);
  const drafts: Draft[] = [];
  for (const id of new Set([outcome?.saying, outcome?.lastDelivered])) {
    const sent = await recordOf(book, notificationKind, id);
    if (sent !== undefined) drafts.push(...(await marksOf(sent, mark, context)));
  }
  return drafts;
}

/** The nag that a notification sends. */
export async function nagOf(book: Book, record: AnyRecord): Promise<Nag | undefined> {
  if (!is(notificationKind, record) || record.body.type !== "nag") return undefined;
  return recordOf(book, nagKind, record.parent);
}
