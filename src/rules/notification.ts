import type { Json } from "../base/json.ts";

/** Something to be said once, to one place. */
export interface NotificationKind {
  body: {
    message: string;
    /** When to say it: UTC epoch milliseconds. */
    at: number;
    /** The words the time was asked in. */
    atText: string | null;
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
    /** An earlier attempt may also have arrived. */
    maybeDelivered: boolean;
  };
  live: "pending";
  end: "delivered" | "failed" | "cancelled";
}
