import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { makeNotification, writableTypes, type NotificationKind } from "./kind.ts";

type Notification = LedgerRecord<NotificationKind>;
type Body = NotificationKind["body"];

/** When it is to be said instead, and the words for it. */
export type Later = Pick<Body, "at" | "atText">;

/** The name that what is said once more has: of each there is only one that waits. */
export function snoozeHold(first: string): string {
  return `snoozed:${first}`;
}

/** The one that was said first: all that say it once more follow from that one. */
export function firstSaid({ id, body }: Pick<Notification, "id" | "body">): string {
  return body.snoozedFrom ?? id;
}

/** The same at another time. An end that would come before that was not meant for it. */
export function bodyLater({ expiresAt, ...body }: Body, later: Later): Body {
  const isKept = expiresAt !== undefined && expiresAt > later.at;
  return { ...body, ...later, ...(isKept ? { expiresAt } : {}) };
}

/** An end never changes: what was said is said again by a copy. */
export function copyLater(record: Notification, later: Later): DraftOf<NotificationKind> {
  const { collapseKey: _, wakes: __, type, ...body } = bodyLater(record.body, later);
  const request = writableTypes.find((each) => each === type);
  const first = firstSaid(record);
  const draft = makeNotification(
    // What the system said by itself comes back as a reminder of it: nobody answers the copy of a question.
    { ...body, ...(request === undefined ? {} : { type: request }), snoozedFrom: first },
    { priority: record.priority },
  );
  return { ...draft, parent: first };
}

/** A digest has no words of its own, and its members know it by its time; a mark is no message. */
export function checkSnooze({ body }: Notification): void {
  if (body.type === "mark") {
    const sentence = "This is shown on a message that was sent: name what that message says.";
    throw new DaybookError("invalid", sentence, { details: { id: body.marks?.said } });
  }
  if (body.type !== "digest") return;
  throw new DaybookError(
    "invalid",
    "This is several messages said together: name the one to be said later.",
  );
}

/** Nobody has begun to say it. */
export function isWaiting({ endedAt, cancelling, lease }: Notification): boolean {
  return endedAt === null && !cancelling && lease === null;
}
