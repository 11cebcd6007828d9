import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
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
  return present({ ...body, ...later, expiresAt: isKept ? expiresAt : undefined });
}

/** A copy of a sent notification at a later time: an end never changes. */
export function copyAt(record: Notification, later: Later): DraftOf<NotificationKind> {
  const {
    collapseKey: _,
    wakesParent: __,
    imported: ___,
    type,
    ...body
  } = bodyAt(record.body, later);
  // A message of the system is copied as a reminder: a copy of a question cannot be answered.
  const copyType = writableTypes.find((each) => each === type);
  const first = firstSent(record);
  const draft = makeNotification(present({ ...body, type: copyType, snoozedFrom: first }), {
    priority: record.priority,
  });
  return { ...draft, parent: first };
}

/** Refuses a digest, which has no text of its own, and a mark, which is not a message. */
export function checkSnooze({ body }: Notification): void {
  if (body.type === "mark") {
    const sentence = "This is a mark on a sent message: give the id of that notification.";
    throw new DaybookError("invalid", sentence, { details: { id: body.marks?.of } });
  }
  if (body.type !== "digest") return;
  throw new DaybookError(
    "invalid",
    "This is a digest of several messages: give the id of the one to snooze.",
  );
}

/** Whether no attempt to send it has started. */
export function isWaiting({ endedAt, cancelling, lease }: Notification): boolean {
  return endedAt === null && !cancelling && lease === null;
}
