import { bookOf } from "../../kernel/own-book.ts";
import { momentOptions } from "../accounts/moment-view.ts";
import { kindActions } from "../notifications/kind-actions.ts";
import { endedAs } from "../notifications/operations/cancel.ts";
import { nagKind } from "./kind.ts";
import { asNotification } from "./operations/as-notification.ts";
import { nagOf } from "./operations/apply-change.ts";
import { endNag } from "./operations/delete.ts";
import { finish } from "./operations/done.ts";
import { putOff } from "./operations/snooze.ts";
import { upcomingNags } from "./operations/upcoming.ts";
import { stateOf } from "./operations/view.ts";

export const nagActions = kindActions({
  kind: nagKind,
  async cancel(id, reason, context) {
    const { record, changed } = await endNag(id, reason, context);
    const view = await asNotification(bookOf(context), record, momentOptions(context));
    if (view.state !== "cancelled") throw endedAs(view.state);
    return { ...view, result: changed ? "cancelled" : "cancelled_before" };
  },
  async done(id, context) {
    const { record } = await finish(id, context);
    const result = stateOf(record) === "cancelled" ? "cancelled_before" : "done";
    const view = await asNotification(bookOf(context), record, momentOptions(context));
    return { ...view, result, taken_back: [] };
  },
  async snooze(id, later, { look, context }) {
    const { record } = await putOff(id, later, { look, context });
    return { ...(await asNotification(bookOf(context), record, look)), result: "moved" };
  },
  sentFor: (notification, book) => nagOf(book, notification),
  upcoming: upcomingNags,
});
