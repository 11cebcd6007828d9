import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { timeOfDay } from "../../time/times.ts";
import { makeNotification, type NotificationKind } from "./kind.ts";
import { inboxOf } from "./routing.ts";
import { textsOf } from "./texts.ts";

type Notification = Claimed<NotificationKind>;

export type NoticeReader = Pick<Profile, "zone" | "language">;

const hourMs = 3_600_000;
/** The failed attempt that notifies the owner; a short outage does not. */
const attemptsUntilNotice = 4;

/**
 * Appends a notice to the owner's inbox when a message cannot be delivered, once per target and hour. The notice does
 * not contain the message, and the message is never sent elsewhere.
 */
export function notifyOwner(
  verdict: Verdict<NotificationKind>,
  record: Notification,
  reader: NoticeReader,
  facts: Facts,
): Verdict<NotificationKind> {
  const failed = "ends" in verdict && verdict.ends === "failed";
  const isStuck = !("ends" in verdict) && verdict.outcome?.reason && attemptsUntilNotice;
  if (!failed && record.attempt !== isStuck) return verdict;
  if (record.body.target === inboxOf(record.owner)) return verdict;
  if (record.body.type === "mark") return verdict; // a mark is not a message
  if (record.body.change !== undefined) return verdict; // a subscription reports its own failures
  const append = [
    ...(verdict.consequences?.append ?? []),
    notice(record, verdict.outcome?.reason ?? "", reader, facts),
  ];
  return { ...verdict, consequences: { ...verdict.consequences, append } };
}

function notice(
  { owner, body }: Notification,
  reason: string,
  { zone, language }: NoticeReader,
  { now }: Facts,
): DraftOf<NotificationKind> {
  const { target } = body;
  const since = timeOfDay(body.at, zone);
  const message = textsOf(language).undeliverable({ target, since, reason });
  const hour = Math.floor(now / hourMs);
  const draft = makeNotification({
    message,
    at: now,
    atText: "now",
    target: inboxOf(owner),
    origin: null,
    type: "notice",
  });
  const name = `undeliverable:${target}:${hour}`;
  return { ...draft, key: { name, asked: { target, hour }, until: now + 2 * hourMs } };
}
