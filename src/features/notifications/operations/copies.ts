import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { firstSaid } from "../snooze.ts";

type Notification = LedgerRecord<NotificationKind>;

/** What waits to say the same once more, itself among it if it does: one, unless the first is being said. */
export async function liveCopies(
  book: Book,
  record: Notification,
): Promise<readonly Notification[]> {
  const parent = firstSaid(record);
  const { records } = await book.list({ kind: notificationKind, parent, live: true, limit: 500 });
  return records
    .filter((each) => is(notificationKind, each))
    .filter(({ body }) => body.snoozedFrom === parent);
}
