import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { makeNotification, writableTypes, type NotificationKind } from "./kind.ts";

type Notification = LedgerRecord<NotificationKind>;
type Body = NotificationKind["body"];

/** The new time, and the text it was typed as. */
export type Later = Pick<Body, "at" | "atText">;

/** The hold of a copy of a snoozed notification: only one copy waits at a time. */
export function snoozeHold(first: string): string {
  return `snoozed:${first}`;
}

/** The first notification that was sent: all copies have it as their parent. */
export function firstSent({ id, body }: Pick<Notification, "id" | "body">): string {
  return body.snoozedFrom ?? id;
}

/** The same body at another time, without an expiry that lies before it. */
export function bodyAt({ expiresAt, ...body }: Body, later: Later): Body {
  const isKept = expiresAt !== undefined && expiresAt > later.at;
  return { ...body, ...later, ...(isKept ? { expiresAt } : {}) };
}

/** An end never changes: a notification that was sent is sent again as a copy. */
export function copyAt(record: Notification, later: Later): DraftOf<NotificationKind> {
  const { collapseKey: _, wakesParent: __, type, ...body } = bodyAt(record.body, later);
  const request = writableTypes.find((each) => each === type);
  const first = firstSent(record);
  const draft = makeNotification(
    // A message of the system's comes back as a reminder: nobody answers the copy of a question.
    { ...body, ...(request === undefined ? {} : { type: request }), snoozedFrom: first },
    { priority: record.priority },
  );
  return { ...draft, parent: first };
}

/** Refuses a digest, which has no text of its own, and a mark, which is no message. */
export function checkSnooze({ body }: Notification): void {
  if (body.type === "mark") {
    const sentence = "This is shown on a message that was sent: name what that message says.";
    throw new DaybookError("invalid", sentence, { details: { id: body.marks?.of } });
  }
  if (body.type !== "digest") return;
  throw new DaybookError(
    "invalid",
    "This is several messages said together: name the one to be said later.",
  );
}

/** Whether nobody has begun to send it. */
export function isWaiting({ endedAt, cancelling, lease }: Notification): boolean {
  return endedAt === null && !cancelling && lease === null;
}
