import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { isoOr } from "../../../platform/iso-time.ts";
import { dueOf, lookOf, type Look } from "../../accounts/moment-view.ts";
import type { NotificationView } from "../../notifications/operations/view.ts";
import type { Later } from "../change.ts";
import { nagKind } from "../kind.ts";
import { nagNamed } from "./change.ts";
import { endNag } from "./delete.ts";
import { finish } from "./done.ts";
import { putOff } from "./snooze.ts";
import { around, nagIn, nextOf, stateOf, titleOf, zoned, type Around, type Nag } from "./view.ts";

/** Beside what is answered of a notification. */
export const nagField = z
  .string()
  .optional()
  .describe("what is said until it is done, and was named or is said by the one that was named");

type Answer = NotificationView & { readonly nag: string };

/** What says a nag is done when the nag is. Undefined: what was named is none, and says none. */
export async function doneAsNag(
  id: string,
  context: Context,
): Promise<(Answer & { result: "done" | "cancelled_before"; taken_back: string[] }) | undefined> {
  const nag = await nagNamed(bookOf(context), id);
  if (nag === undefined) return undefined;
  const { record } = await finish(nag.id, context);
  const result = stateOf(record) === "cancelled" ? "cancelled_before" : "done";
  return { ...(await shown(record, context, lookOf(context))), result, taken_back: [] };
}

/** What says a nag is put off when the nag is. */
export async function snoozedAsNag(
  id: string,
  later: Later,
  { look, context }: { look: Look; context: Context },
): Promise<(Answer & { result: "moved"; snoozed: string }) | undefined> {
  const nag = await nagNamed(bookOf(context), id);
  if (nag === undefined) return undefined;
  const { record } = await putOff(nag.id, later, { look, context });
  return { ...(await shown(record, context, look)), result: "moved", snoozed: id };
}

/** Only by its own id: what says it can be taken back by itself. */
export async function cancelledAsNag(
  id: string,
  reason: string,
  context: Context,
): Promise<(Answer & { changed: boolean }) | undefined> {
  const found = await bookOf(context).get(id);
  if (!is(nagKind, found)) return undefined;
  const { record, changed } = await endNag(id, reason, context);
  return { ...(await shown(record, context, lookOf(context))), changed };
}

async function shown(record: Nag, context: Context, look: Look): Promise<Answer> {
  return asNotification(record, await around(bookOf(context), record), look);
}

/** A nag where a notification is answered: what it says, where, and when next. */
function asNotification(record: Nag, about: Around, look: Look): Answer {
  const { id, body, priority, attempt, cancelling, endedAt, revision, wakeAt } = record;
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
