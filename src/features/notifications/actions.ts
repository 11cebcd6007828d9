import { kindActions } from "./kind-actions.ts";
import { notificationKind } from "./kind.ts";
import { cancelNotification } from "./operations/cancel.ts";
import { finishNotification } from "./operations/done.ts";
import { snoozeNotification } from "./operations/snooze.ts";
import { upcomingNotifications } from "./operations/upcoming.ts";

export const notificationActions = kindActions({
  kind: notificationKind,
  cancel: cancelNotification,
  done: finishNotification,
  snooze: snoozeNotification,
  upcoming: upcomingNotifications,
});
