import { DaybookError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { parseTarget } from "./target.ts";
import type { DraftOf } from "./unit.ts";

/** Something to be said once, to one place. */
export interface NotificationKind {
  body: {
    message: string;
    /** When to say it: UTC epoch milliseconds. */
    at: number;
    /** The words the time was asked in. */
    atText: string;
    /** Where it goes: `channel:address`. */
    target: string;
    /** Where it was asked for. */
    origin: string;
  };
  outcome: {
    /** What the channel gave as proof of delivery. */
    receipt: Json;
    /** Why the newest attempt did not deliver. */
    reason: string | null;
    /** An attempt other than the last may also have arrived. */
    maybeDelivered: boolean;
  };
  live: "pending";
  end: "delivered" | "failed" | "cancelled";
}

const messageCharsMax = 20_000;

/** Every notification is made here, whoever asks for it. */
export function makeNotification(body: NotificationKind["body"]): DraftOf<"notification"> {
  if (body.message.trim() === "") {
    throw new DaybookError("invalid", "The message is empty: say what should be said.");
  }
  if (body.message.length > messageCharsMax) {
    throw new DaybookError(
      "too_large",
      `The message is over ${messageCharsMax} characters: shorten it, or send a link.`,
    );
  }
  parseTarget(body.target);
  return { kind: "notification", body, state: "pending", wakeAt: body.at, lane: body.target };
}
