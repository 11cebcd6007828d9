import { feature } from "../../kernel/feature.ts";
import { needs } from "./channel.ts";
import { explainNotification } from "./explain.ts";
import { messageFiles } from "./file.ts";
import { notification } from "./kind.ts";
import { cancel, list, remind, show } from "./operations.ts";

export { makeNotification, notification, type NotificationKind } from "./kind.ts";
export { needs as notificationPorts } from "./channel.ts";

export const notifications = feature({
  name: "notifications",
  kinds: [notification],
  operations: {
    remind,
    listNotifications: list,
    showNotification: show,
    cancelNotification: cancel,
  },
  needs,
  controllers: () => import("./controller.ts"),
  fileLayouts: [messageFiles],
  explain: [explainNotification],
});
