import { feature } from "../../kernel/feature.ts";
import { notificationActions } from "./actions.ts";
import { counterKind } from "./counter.ts";
import { expiryKind, expiryLayout } from "./expiry.ts";
import { explainNotification } from "./explain.ts";
import { messageLayout } from "./file.ts";
import { notificationKind } from "./kind.ts";
import { cancelAll } from "./operations/cancel-all.ts";
import { importNotifications } from "./operations/import.ts";
import { list } from "./operations/list.ts";
import { remind } from "./operations/remind.ts";
import { show } from "./operations/show.ts";
import { update } from "./operations/update.ts";
import { deleteWebhook, listWebhooks, registerWebhook } from "./operations/webhooks.ts";
import { notificationsOnNode, notificationsProvide } from "./services.ts";
import { transferExpiry, transferNotification } from "./transfer.ts";
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
    cancelAll,
    importNotifications,
    registerWebhook,
    listWebhooks,
    deleteWebhook,
  },
  fileLayouts: [messageLayout, expiryLayout],
  explain: [explainNotification],
  actions: [notificationActions],
  transfers: [transferNotification, transferExpiry],
  provides: notificationsProvide,
  node: notificationsOnNode,
  chat: async () => (await import("./chat.ts")).notificationsChat,
  errors: () => import("./errors-ko.ts"),
});

export { notificationActions } from "./actions.ts";
export { type BusyTime, busyTimes, busyUntil } from "./busy-times.ts";
export { channels } from "./channel-settings.ts";
export {
  type Channel,
  type Mark,
  type Message,
  type SendAttempt,
  addressReadersOf,
  isChannel,
  unmarked,
} from "./channel.ts";
export { type DeliveryEnd, type DeliveryHook, deliveryHook } from "./delivery-hook.ts";
export { channel } from "./chat-settings.ts";
export { deliverer } from "./controller.ts";
export { type CounterKind, type Numbers, counterKind } from "./counter.ts";
export { messageFile, messageFromFile, messageLayout } from "./file.ts";
export {
  type RecordActions,
  type Upcoming,
  cancelView,
  doneView,
  recordActions,
  snoozeView,
} from "./record-actions.ts";
export {
  type NotificationKind,
  type RecordChange,
  type SeedType,
  makeNotification,
  messageCharsMax,
  notificationKind,
  questionHint,
  recordChange,
  socketQueue,
  writableTypes,
} from "./kind.ts";
export { membersOf } from "./digest.ts";
export { type Forecast, forecastOf, isForPeople, isRequested } from "./forecast.ts";
export { type Hold, type Outlook, outlookOf, pauseHold, released, sendHold } from "./hold.ts";
export type { Attachment, Listeners, Listener } from "./listeners.ts";
export { messagesIn } from "./mark.ts";
export { type CalendarMark, calendarMark } from "./operations/in-calendar.ts";
export { cancelNotification, alreadyEnded, withdrawal } from "./operations/cancel.ts";
export { fields, requestKey, priorityOf, timeWords } from "./operations/fields.ts";
export { type MarkOf, marksOf } from "./operations/marks.ts";
export { recordOfMessage } from "./operations/message-lookup.ts";
export { partInputs, partViews } from "./operations/show.ts";
export { changeOf } from "./operations/update.ts";
export { checkTarget, checkedRoute } from "./operations/target.ts";
export {
  type NotificationView,
  notificationView,
  sentBy,
  sentLine,
  sentView,
  shown,
  shownBody,
  shownSent,
} from "./operations/view.ts";
export {
  type CallRule,
  hasListener,
  nodeListeners,
  callRule,
  addressReaders,
  channelNames,
  channelTap,
  dayNumbers,
  deliveryHooks,
  outputReader,
  nodeChannels,
  popUps,
} from "./ports.ts";
export { quietUntil } from "./quiet-hours.ts";
export { type Sent, readSent, stopped } from "./receipt.ts";
export {
  type Route,
  inboxOf,
  isForListeners,
  routeOf,
  routeReason,
  sessionOf,
  sessionsOf,
} from "./routing.ts";
export { textsOf } from "./texts.ts";
export { isThread, slackThread, telegramThread, threadOf } from "./thread.ts";
export type { NoticeReader } from "./failure-notice.ts";
export { type Waiting, type WaitingView, shownWaiting, waitOf, waitingView } from "./waiting.ts";
export { makeWebhook, secretBytes, secretFrom, webhookKind } from "./webhook.ts";
