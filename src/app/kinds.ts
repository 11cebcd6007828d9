import { inviteKind } from "../features/accounts/invite.ts";
import { personKind } from "../features/accounts/person.ts";
import { profileKind } from "../features/accounts/profile.ts";
import { tokenKind } from "../features/accounts/token.ts";
import { eventKind } from "../features/events/kind.ts";
import { questionKind } from "../features/events/question.ts";
import { sourceKind } from "../features/events/source.ts";
import { subscriptionKind } from "../features/events/subscription.ts";
import { nagKind } from "../features/nags/kind.ts";
import { pageKind } from "../features/nags/page.ts";
import { choreKind } from "../features/nodes/chore.ts";
import { nodeKind } from "../features/nodes/node.ts";
import { pauseKind } from "../features/nodes/pause.ts";
import { counterKind } from "../features/notifications/counter.ts";
import { expiryKind } from "../features/notifications/expiry.ts";
import { notificationKind } from "../features/notifications/kind.ts";
import { webhookKind } from "../features/notifications/webhook.ts";
import { scheduleKind } from "../features/schedules/kind.ts";
import { taskKind } from "../features/tasks/kind.ts";
import { workspaceKind } from "../features/workspaces/kind.ts";
import type { Kind } from "../kernel/kind.ts";

/** Every kind of record of this program. */
export const kinds: readonly Kind[] = [
  choreKind,
  nodeKind,
  pauseKind,
  inviteKind,
  personKind,
  profileKind,
  tokenKind,
  notificationKind,
  expiryKind,
  webhookKind,
  nagKind,
  pageKind,
  taskKind,
  scheduleKind,
  eventKind,
  questionKind,
  sourceKind,
  subscriptionKind,
  counterKind,
  workspaceKind,
];
