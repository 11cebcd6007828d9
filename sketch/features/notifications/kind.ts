import * as z from "zod";
import { defineKind, type Kind, type KindOf } from "../../kernel/kind.ts";
import { draft, type DraftOf } from "../../kernel/unit.ts";
import { moment } from "../../kernel/wire.ts";
import { json } from "../../platform/json.ts";

const defined = defineKind({
  name: "notification",
  body: z.strictObject({ message: z.string().min(1), target: z.string(), at: moment }),
  outcome: z.strictObject({ receipt: json, reason: z.string().nullable() }),
  states: { pending: ["delivered", "failed"] },
  retention: { keepMs: 30 * 86_400_000 },
  holds: ["collapse:"],
  lane: (body) => body.target,
  target: (body) => body.target,
});
export interface NotificationKind extends KindOf<typeof defined> {}
export const notification: Kind<NotificationKind> = defined;

/** Every notification is made here, whoever asks for it. */
export function makeNotification(
  body: NotificationKind["body"],
  more: { readonly id?: string; readonly wakesParent?: boolean } = {},
): DraftOf<NotificationKind> {
  return draft(notification, { body, state: "pending", wakeAt: body.at, ...more });
}
