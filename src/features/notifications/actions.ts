import { bookOf } from "../../kernel/book.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { forecastOf, isForPeople } from "./forecast.ts";
import { notificationKind, type NotificationKind } from "./kind.ts";
import { cancelNotification, finishNotification } from "./operations/cancel.ts";
import { snoozeNotification } from "./operations/snooze.ts";
import { notificationView, shown } from "./operations/view.ts";
import { recordActions, type Upcoming } from "./record-actions.ts";

const liveMax = 10_000;

const upcomingNotifications: Upcoming<"notifications", typeof notificationView> = {
  key: "notifications",
  view: notificationView,
  async list({ until, options, context }) {
    const { records, isCut } = await live(bookOf(context));
    const found = records
      .filter((record) => isForPeople(record) && record.body.type !== "digest") // its messages are listed
      .map((record) => ({ record, at: forecastOf(record, options).at ?? Infinity }))
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at || (a.record.id < b.record.id ? -1 : 1))
      .map(({ record, at }) => ({ at, show: async () => shown(record, options) }));
    return { found, isCut };
  },
  line: ({ id, due, message, target, next_at: at, waiting }) => {
    return { at: at ?? due.utc, waiting, text: message, target, id };
  },
};

/** The ledger lists by creation time, so the next one due is known only when all have been read. */
async function live(
  book: Book,
): Promise<{ records: LedgerRecord<NotificationKind>[]; isCut: boolean }> {
  const query = { kind: notificationKind, live: true } as const;
  const records = await Array.fromAsync(recordsIn(book, query, liveMax + 1));
  return { records, isCut: records.length > liveMax };
}

export const notificationActions = recordActions({
  kind: notificationKind,
  cancel: cancelNotification,
  done: finishNotification,
  snooze: snoozeNotification,
  upcoming: upcomingNotifications,
});
