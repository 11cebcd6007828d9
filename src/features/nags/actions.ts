import { bookOf } from "../../kernel/book.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Context } from "../../kernel/operation.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { dueOf } from "../accounts/index.ts";
import {
  type Upcoming,
  recordActions,
  alreadyEnded,
  type NotificationView,
  type Outlook,
  outlookOf,
} from "../notifications/index.ts";
import { forecastOf } from "./forecast.ts";
import { type Nag, nagKind, nextOf, stateOf } from "./kind.ts";
import { nagOf } from "./operations/change-nag.ts";
import { cancelNag, finishNag, snoozeTo } from "./operations/lifecycle.ts";
import { inNagZone, nagView, viewNag } from "./operations/view.ts";

const readMax = 10_000;

/** The next send of each nag. A send that has started is listed as a notification. */
const upcomingNags: Upcoming<"nags", typeof nagView> = {
  key: "nags",
  view: nagView,
  description: "nags by the time of their next message, each once",
  async list({ until, options, context }) {
    const book = bookOf(context);
    const query = { kind: nagKind, state: "active", live: true } as const;
    const active = await Array.fromAsync(recordsIn(book, query, readMax));
    const found = active.flatMap((nag) => {
      const { at } = forecastOf(nag, undefined, options);
      return at === null || at > until ? [] : [{ at, show: () => viewNag(book, nag, options) }];
    });
    return { found, isCut: false };
  },
  line: ({ title, next: due, waiting, target, id }) =>
    due === null ? undefined : { at: due.utc, waiting, text: `↻ ${title}`, target, id },
};

export const nagActions = recordActions({
  kind: nagKind,
  async cancel(id, reason, context) {
    const { record, changed } = await cancelNag(id, reason, context);
    const view = await asNotification(record, context);
    if (view.state !== "cancelled") throw alreadyEnded(view.state);
    return { ...view, result: changed ? "cancelled" : "cancelled_before" };
  },
  async done(id, context) {
    const { record } = await finishNag(id, context);
    const result = stateOf(record) === "cancelled" ? "cancelled_before" : "done";
    const view = await asNotification(record, context);
    return { ...view, result, taken_back: [] };
  },
  async snooze(id, later, { options, context }) {
    const { record } = await snoozeTo(id, later, { options, context });
    return { ...(await asNotification(record, context, options)), result: "moved" };
  },
  sentFor: (notification, book) => nagOf(book, notification),
  upcoming: upcomingNags,
});

/** A nag in the shape of a notification: its text, target and next time. */
async function asNotification(
  record: Nag,
  context: Context,
  outlook?: Outlook,
): Promise<NotificationView & { readonly nag_id: string }> {
  const options = outlook ?? (await outlookOf(context));
  const { body, attempt, cancelling, endedAt } = record;
  const view = await viewNag(bookOf(context), record, options);
  const { id, state, target, target_because, priority, reason, revision, next, waiting } = view;
  const { created_at, created_by, ended_at } = view;
  return {
    id,
    nag_id: id,
    state,
    target,
    target_because,
    due: dueOf(nextOf(record) ?? body.at, inNagZone(record, options)),
    scheduled_at_text: body.atText,
    message: view.about.text ?? view.title,
    type: "nag",
    priority,
    created_at,
    created_by,
    context: null,
    related_task_id: null,
    related_question_id: null,
    expires_at: null,
    at_most_once: false,
    collapse_key: null,
    next_at: next?.utc ?? null,
    waiting,
    delivered_at: null,
    cancelled_at: isoOr(state === "cancelled" ? endedAt : null),
    ended_at,
    cancelling,
    attempts: attempt,
    receipt: null,
    reason,
    maybe_delivered: false,
    revision,
    calendar: null,
    gcal_event_id: null,
  };
}
