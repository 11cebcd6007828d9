import { type Transferred, transferPart } from "../../kernel/transfer.ts";
import type { Hold } from "../../kernel/unit.ts";
import { expiryKind } from "./expiry.ts";
import { collapseHold, taskHolds } from "./holds.ts";
import {
  makeNotification,
  notificationKind,
  type NotificationKind,
  writableTypes,
} from "./kind.ts";
import { snoozeHold } from "./snooze.ts";
import { keyFacts } from "./transfer-key.ts";

export const transferNotification = transferPart({
  kind: notificationKind,
  check: ({ body }) => void makeNotification(body),
  key: keyFacts,
  prepare: (records) => records.map(arrived),
  holds(record, { owner, profile }) {
    const { id, body } = record;
    if (body.snoozedFrom !== undefined) return [snoozeHold(body.snoozedFrom)];
    const isRequested = writableTypes.some((each) => each === (body.type ?? "reminder"));
    if (!isRequested) return [];
    const collapse = collapseHold(owner, body);
    const guards = taskHolds({ owner, zone: profile.zone, body });
    return [...(collapse === undefined ? [] : [collapse]), ...guards].map((hold) =>
      orOwn(hold, id),
    );
  },
});

export const transferExpiry = transferPart({ kind: expiryKind });

/** It shows the times and the caller of its first book. An attempt whose result is unknown may have delivered it. */
function arrived(record: Transferred<NotificationKind>): Transferred<NotificationKind> {
  const { body, outcome, by, createdAt, endedAt, inFlight, lapses } = record;
  const { createdBy = by, imported = { createdAt, endedAt } } = body;
  const isUnknown = endedAt === null && (inFlight || lapses > 0);
  const before = outcome ?? { receipt: null, reason: null, maybeDelivered: false };
  return {
    ...record,
    body: { ...body, createdBy, imported },
    outcome: isUnknown ? { ...before, maybeDelivered: true } : outcome,
  };
}

/** A guard counts from the request on: one that was accepted elsewhere is not refused here, and gets a name of its own. */
function orOwn(hold: Hold, id: string): Hold {
  const names = typeof hold === "string" ? [hold] : hold.oneOf;
  return { oneOf: [...names, `${names[0]}#${id}`] };
}
