import type { Written } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { Bus } from "../../platform/event-bus.ts";
import type { SendResult } from "./delivery.ts";
import type { NotificationKind } from "./kind.ts";

/** Reports failures to the operator of the node, without the text or the address of the notification. */
export function emitDelivery(
  events: Bus<Events>,
  { record, verdict, observed }: Written<NotificationKind, { readonly seen: SendResult }>,
): void {
  const { id, attempt, body, lease } = record;
  const { channel } = parseTarget(body.target);
  const reason = verdict.outcome?.reason ?? "no reason was given";
  const end = "ends" in verdict ? verdict.ends : undefined;
  // Each member of a digest reports its own end, so a digest without members is not a loss.
  if (end === "expired" && body.type !== "digest") {
    const lateMs = Math.max(lease.claimedAt - body.at, 0);
    events.emit("overdue skipped", { id, channel, lateMs, reason });
  } else if (end === "failed" || end === "unconfirmed") {
    events.emit("send failed", { id, channel, attempt, result: end, reason });
  } else if (end === undefined && isUnknown(observed?.seen)) {
    events.emit("send failed", { id, channel, attempt, result: "unknown", reason });
  }
}

function isUnknown(seen: SendResult | undefined): boolean {
  if (seen?.result === "digest sent") return isUnknown(seen.sent);
  return seen?.result === "unknown";
}
