import type { Controller } from "../../kernel/controller.ts";
import type { NotificationKind } from "./kind.ts";
import { pointedAt } from "./unread-notice.ts";

/** Points once at what arrives for listeners: `says` does it, and it stays unread until one confirms it. */
export function pointer<Seen>(
  says: Controller<NotificationKind, Seen>,
): Controller<NotificationKind, Seen> {
  return {
    ...says,
    name: "pointer",
    decide: (record, seen, facts) => pointedAt(says.decide(record, seen, facts), facts),
  };
}
