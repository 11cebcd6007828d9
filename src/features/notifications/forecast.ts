import type { LedgerRecord } from "../../kernel/record.ts";
import { hasExpired } from "./expiry.ts";
import { type Outlook, released, sendHold } from "./hold.ts";
import { type NotificationKind, writableTypes } from "./kind.ts";
import { isForListeners } from "./pop-up.ts";
import { digestCheckMs } from "./wait-verdict.ts";
import { type Waiting, waitOf } from "./waiting.ts";

type Notification = LedgerRecord<NotificationKind>;

/** When something will be sent, and why not sooner. */
export interface Forecast {
  /** Null: at no known time, or never. Before now: it is due. */
  readonly at: number | null;
  /** Undefined: it waits only for its time, or has ended. */
  readonly waiting?: Waiting | undefined;
}

/** When a notification will be sent: the decisions of its controller, ahead of time. */
export function forecastOf(record: Notification, outlook: Outlook): Forecast {
  const { endedAt, wakeAt, body, outcome } = record;
  if (endedAt !== null || wakeAt === null) return { at: null };
  const { now } = outlook;
  const wait = waitOf(record, now, outcome?.reason ?? null);
  if (wait?.for === "attempt") return { at: now, waiting: wait };
  const due = digestAt(record, now) ?? wakeAt;
  const { at, hold } = released(Math.max(due, now), (time) => sendHold(record, time, outlook));
  if (at !== null && hasExpired(record, at)) {
    return { at: null, waiting: { for: "expiry", until: body.expiresAt ?? at } };
  }
  if (hold !== undefined) return { at, waiting: hold };
  return {
    at: due,
    waiting: outcome?.digest === undefined ? unheard(record, wait) : quietUntil(due),
  };
}

/** When the digest is due that sends it. It reads the result a moment later. */
function digestAt({ outcome, wakeAt }: Notification, now: number): number | undefined {
  if (outcome?.digest === undefined || wakeAt === null) return undefined;
  return Math.max(wakeAt - digestCheckMs, now);
}

function quietUntil(until: number): Waiting {
  return { for: "quiet_hours", until };
}

/** A due notification for listeners waits for one of them, and no node but theirs takes it. */
function unheard({ queue, lease, body }: Notification, wait: Waiting | undefined) {
  const isUnheard = wait?.for === "node" && lease === null && isForListeners(queue);
  return isUnheard ? ({ for: "listener", target: body.target } as const) : wait;
}

/** Whether a person reads it as a message: not a mark on another one, and not a change for a program. */
export function isForPeople({ body }: Notification): boolean {
  return body.type !== "mark" && body.change === undefined;
}

const requestedTypes: readonly string[] = [...writableTypes, "progress_check"];

/** Whether a person asked for it, and not another record: not a notice, a digest, a nag's message or a run's output. */
export function isRequested({ body }: Notification): boolean {
  return body.change === undefined && requestedTypes.includes(body.type ?? "reminder");
}
