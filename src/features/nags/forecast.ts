import type { LedgerRecord } from "../../kernel/record.ts";
import {
  type Forecast,
  forecastOf as forecastOfNotification,
  type Hold,
  type NotificationKind,
  type Outlook,
  pauseHold,
  released,
  sendHold,
  type Waiting,
  waitOf,
} from "../notifications/index.ts";
import { type Nag, nagOutcome, nextOf, stateOf } from "./kind.ts";
import { nextOpenTime } from "./open-hours.ts";
import { isComputed } from "./plan.ts";

/** When a nag is sent next: through its notification, if one sends it now. */
export function forecastOf(
  record: Nag,
  notification: LedgerRecord<NotificationKind> | undefined,
  outlook: Outlook,
): Forecast {
  if (stateOf(record) !== "active") return { at: null };
  const planned = nextOf(record);
  if (planned === null) {
    if (notification?.endedAt !== null) return { at: null };
    return { ...forecastOfNotification(notification, outlook), at: null };
  }
  const wait = retryOf(record, planned) ?? waitOf(record, outlook.now, null);
  if (wait?.for === "attempt") return { at: outlook.now, waiting: wait };
  const start = Math.max(planned, outlook.now);
  const { at, hold } = released(start, (time) => holdAt(record, time, outlook));
  if (hold !== undefined) return { at, waiting: hold };
  return { at: planned, waiting: wait };
}

/** Its last message failed, and is sent again at this time. */
function retryOf(record: Nag, until: number): Waiting | undefined {
  const { failures, reason } = nagOutcome(record);
  return failures === 0 || reason === null || record.lease !== null
    ? undefined
    : { for: "retry", until, attempt: failures, reason };
}

/** What holds a message of the nag back: what holds the nag, its closed hours, or what holds its notification. */
function holdAt(record: Nag, at: number, outlook: Outlook): Hold | undefined {
  const { body, owner, priority } = record;
  const pause = pauseHold(record, at, outlook);
  if (pause !== undefined) return pause;
  const quiet = priority === "high" ? null : outlook.quiet;
  const zone = body.zone ?? outlook.ownZone;
  const opens = isComputed(nagOutcome(record))
    ? nextOpenTime(at, { ...body.curve, quiet, zone })
    : at;
  if (opens !== undefined && opens > at) return { for: "quiet_hours", until: opens };
  return sendHold(
    { kind: "notification", owner, lane: body.target, priority, body: { type: "nag" } },
    at,
    outlook,
  );
}
