import { recordOf } from "../../kernel/book.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";
import type { Json } from "../../platform/json.ts";
import { hasExpired } from "./expiry.ts";
import { type NotificationKind, notificationKind, makeNotification } from "./kind.ts";

type Notification = LedgerRecord<NotificationKind>;

/** One digest per target for the notifications that came due in quiet hours, sent when they end. */
export function makeDigest(
  { owner, body }: Notification,
  until: number,
): DraftOf<NotificationKind> & { id: string } {
  const { target, origin } = body;
  const draft = makeNotification({
    message: "…", // rendered from its members when it is sent
    at: until,
    atText: "end of quiet hours",
    target,
    origin,
    type: "digest",
  });
  return { ...draft, id: digestId(owner, target, until) };
}

/** The same id for all members: the first one creates the digest, and the others find it. */
export function digestId(owner: string, target: string, until: number): string {
  return idFrom(JSON.stringify(["digest", owner, target, until]));
}

/** Saved before the digest is sent, so that a retry has the same members. */
export function progressOf(members: readonly string[], sent: Json): Json {
  return { members, sent };
}

export function membersOf({ outcome }: Notification): readonly string[] | undefined {
  const progress = outcome?.progress;
  if (typeof progress !== "object" || progress === null || !("members" in progress))
    return undefined;
  const { members } = progress;
  return Array.isArray(members) ? members.map(String) : undefined;
}

/** Whether a digest sent one of its members. */
export type MemberResult =
  /** The digest was sent, with this receipt. */
  | { readonly sentWith: Json }
  /** The digest is in flight. */
  | "waits"
  /** The digest failed, or was sent without it: the member is sent alone. */
  | "alone"
  /** The digest failed, but an attempt of it may have arrived. */
  | "maybe delivered";

/** The result for a notification that waits for a digest. */
export function resultIn(
  digest: Notification | undefined,
  { id, body }: Pick<Notification, "id" | "body">,
  isTooLate = false,
): MemberResult {
  if (digest === undefined) return "maybe delivered"; // it ended so long ago that it was pruned
  if (body.at > digest.body.at) return "alone"; // it was postponed
  if (isInFlight(digest, isTooLate)) return "waits";
  const isIn = membersOf(digest)?.includes(id) === true;
  if (digest.state === "delivered" && isIn) {
    return { sentWith: { digest: digest.id, receipt: digest.outcome?.receipt ?? null } };
  }
  // An earlier attempt of the digest may have included it, even if the last one did not.
  const maybe = digest.lapses > 0 || digest.outcome?.maybeDelivered === true;
  return maybe ? "maybe delivered" : "alone";
}

/** A digest that is not being sent right now will leave out a member that has expired. */
function isInFlight({ endedAt, lease }: Notification, isTooLate: boolean): boolean {
  return endedAt === null && !(isTooLate && lease === null);
}

/** Reads the members of digests, and whether their digest sent them. */
export function digests(ledger: Ledger) {
  return {
    /** The members that still wait: those of the first attempt, or in the first attempt all. */
    async members(digest: Claimed<NotificationKind>): Promise<readonly Notification[]> {
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
    async resultFor(waiting: Claimed<NotificationKind>, digest: string): Promise<MemberResult> {
      const book = ledger.of(waiting.owner, waiting.by);
      const isTooLate = hasExpired(waiting, waiting.lease.claimedAt);
      return resultIn(await recordOf(book, notificationKind, digest), waiting, isTooLate);
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
    record.body.at <= digest.body.at && // it was not postponed meanwhile
    !hasExpired(record, digest.lease.claimedAt) &&
    record.outcome?.digest === digest.id;
  return waits ? [record] : [];
}
