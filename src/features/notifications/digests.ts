import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../kernel/record.ts";
import { type Fate, fateIn, membersOf } from "./digest.ts";
import { type NotificationKind, notificationKind } from "./kind.ts";
import { isOver } from "./wait-reason.ts";

type Notification = LedgerRecord<NotificationKind>;

/** Reads what a digest is made of, and what became of it. */
export interface Digests {
  /** The messages a digest says: those it was first made of, if they still wait; else all that wait. */
  members(digest: Claimed<NotificationKind>): Promise<readonly Notification[]>;
  fate(waiting: Claimed<NotificationKind>, digest: string): Promise<Fate>;
}

export function digests(ledger: Ledger): Digests {
  return {
    async members(digest) {
      const known = membersOf(digest);
      const book = ledger.of(digest.owner, digest.by);
      if (known !== undefined) {
        const found = await Promise.all(known.map((id) => book.get(id)));
        return found.flatMap((record) => waitingFor(record, digest));
      }
      const live = await Array.fromAsync(recordsIn(book, { kind: notificationKind, live: true }));
      const found = live.flatMap((record) => waitingFor(record, digest));
      return found.toSorted((a, b) => a.body.at - b.body.at);
    },
    async fate(waiting, digest) {
      const record = await ledger.of(waiting.owner, waiting.by).get(digest);
      const isTooLate = isOver(waiting, waiting.lease.claimedAt);
      return fateIn(is(notificationKind, record) ? record : undefined, waiting, isTooLate);
    },
  };
}

function waitingFor(
  record: AnyRecord | undefined,
  digest: Claimed<NotificationKind>,
): readonly Notification[] {
  const waits =
    is(notificationKind, record) &&
    record.endedAt === null &&
    !record.cancelling &&
    record.body.at <= digest.body.at && // it was not moved to later meanwhile
    !isOver(record, digest.lease.claimedAt) &&
    record.outcome?.digest === digest.id;
  return waits ? [record] : [];
}
