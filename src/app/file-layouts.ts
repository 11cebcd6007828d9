import { personLayout } from "../features/accounts/person.ts";
import { eventLayout } from "../features/events/file.ts";
import { expiryLayout } from "../features/notifications/expiry.ts";
import { messageLayout } from "../features/notifications/file.ts";
import { taskLayout } from "../features/tasks/file.ts";
import type { FileLayout } from "../kernel/files.ts";

/** How the file store shows the kinds of this program. The others are shown by their name and state. */
export const fileLayouts: readonly FileLayout[] = [
  personLayout,
  messageLayout,
  expiryLayout,
  taskLayout,
  eventLayout,
];
