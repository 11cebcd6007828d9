import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";
import type { Json } from "../../platform/json.ts";
import { makeNotification, type NotificationKind } from "./kind.ts";

type Notification = LedgerRecord<NotificationKind>;

/** What came due for one place in quiet hours is said together when they end: one digest for all of it. */
export function makeDigest(
  { owner, body }: Notification,
  until: number,
): DraftOf<NotificationKind> & { id: string } {
  const { target, origin } = body;
  const draft = makeNotification({
    message: "…", // made of its members when it is said
    at: until,
    atText: "end of quiet hours",
    target,
    origin,
    type: "digest",
  });
  return { ...draft, id: digestId(owner, target, until) };
}

/** Whoever comes first makes it, and all find the same one. */
export function digestId(owner: string, target: string, until: number): string {
  return idFrom(JSON.stringify(["digest", owner, target, until]));
}

/** Written down before the digest is said, so that a retry says the same. */
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

export type Fate =
  /** It was said, with this proof. */
  | { readonly said: Json }
  /** The digest is on its way. */
  | "waits"
  /** The digest came to nothing, or was made without it. */
  | "alone"
  /** So it seems, but it may have been heard: an attempt of the digest may have arrived. */
  | "perhaps said";

/** What became of a message that waits for a digest. */
export function fateIn(
  digest: Notification | undefined,
  { id, body }: Pick<Notification, "id" | "body">,
  isTooLate = false,
): Fate {
  if (digest === undefined) return "perhaps said"; // it ended so long ago that it is forgotten
  if (body.at > digest.body.at) return "alone"; // it was moved to later
  if (isOnItsWay(digest, isTooLate)) return "waits";
  const isIn = membersOf(digest)?.includes(id) === true;
  if (digest.state === "delivered" && isIn) {
    return { said: { digest: digest.id, receipt: digest.outcome?.receipt ?? null } };
  }
  // An earlier attempt of the digest may have had it, even if the last one did not.
  const maybe = digest.lapses > 0 || digest.outcome?.maybeDelivered === true;
  return maybe ? "perhaps said" : "alone";
}

/** What is too late is not said by it any more, unless somebody says it right now. */
function isOnItsWay({ endedAt, lease }: Notification, isTooLate: boolean): boolean {
  return endedAt === null && !(isTooLate && lease === null);
}
