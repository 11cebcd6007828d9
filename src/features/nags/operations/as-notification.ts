import type { Book } from "../../../kernel/ledger.ts";
import { isoOr } from "../../../platform/iso-time.ts";
import { dueOf, type MomentOptions } from "../../accounts/moment-view.ts";
import type { NotificationView } from "../../notifications/operations/view.ts";
import { around, nagIn, nextOf, titleOf, zoned, type Nag } from "./view.ts";

/** A nag where a notification is answered: what it says, where, and when next. */
export async function asNotification(
  book: Book,
  record: Nag,
  look: MomentOptions,
): Promise<NotificationView & { readonly nag: string }> {
  const { id, body, priority, attempt, cancelling, endedAt, revision, wakeAt } = record;
  const about = await around(book, record);
  const view = nagIn(record, about, look);
  const { state } = view;
  return {
    id,
    nag: id,
    state,
    target: body.target,
    target_because: body.because ?? null,
    due: dueOf(nextOf(record) ?? body.at, zoned(record, look)),
    message: "text" in body.about ? body.about.text : titleOf(record, about.page),
    type: "nag",
    priority,
    created_at: view.created_at,
    created_by: view.created_by,
    context: null,
    related_task_id: null,
    related_question_id: null,
    expires_at: null,
    at_most_once: false,
    collapse_key: null,
    next_at: isoOr(wakeAt),
    delivered_at: null,
    cancelled_at: isoOr(state === "cancelled" ? endedAt : null),
    ended_at: view.ended_at,
    cancelling,
    attempts: attempt,
    receipt: null,
    reason: view.reason,
    maybe_delivered: false,
    revision,
  };
}
