import type { Book } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { kindActions } from "../notifications/kind-actions.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { schedulesIn } from "./operations/find-schedule.ts";
import { upcomingRuns } from "./operations/upcoming.ts";

export const scheduleActions = kindActions({
  kind: scheduleKind,
  names: {
    mayBeIds: true,
    async live(book, name) {
      const [only] = await named(book, name, true);
      return only;
    },
    ended: (book, name) => named(book, name, false),
  },
  upcoming: upcomingRuns,
});

async function named(
  book: Book,
  name: string,
  live: boolean,
): Promise<readonly LedgerRecord<ScheduleKind>[]> {
  const same = name.toLowerCase();
  const all = await schedulesIn(book, { live, order: "newest" });
  return all.filter(({ body }) => body.name.toLowerCase() === same);
}
