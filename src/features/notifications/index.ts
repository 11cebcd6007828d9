import { feature } from "../../kernel/feature.ts";
import { notificationActions } from "./actions.ts";
import { counterKind } from "./counter.ts";
import { expiryKind, expiryLayout } from "./expiry.ts";
import { explainNotification } from "./explain.ts";
import { messageLayout } from "./file.ts";
import { notificationKind } from "./kind.ts";
import { importNotifications } from "./operations/import.ts";
import { list, show } from "./operations/list-and-show.ts";
import { remind } from "./operations/remind.ts";
import { update } from "./operations/update.ts";
import { deleteWebhook, listWebhooks, registerWebhook } from "./operations/webhooks.ts";
import { webhookKind } from "./webhook.ts";

/** ONCE: is it delivered where it belongs, with a receipt? */
export const notifications = feature({
  name: "notifications",
  kinds: [notificationKind, expiryKind, webhookKind, counterKind],
  operations: {
    remind,
    update,
    list,
    show,
    importNotifications,
    registerWebhook,
    listWebhooks,
    deleteWebhook,
  },
  fileLayouts: [messageLayout, expiryLayout],
  explain: [explainNotification],
  actions: [notificationActions],
});
