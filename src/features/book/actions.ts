import type { Context } from "../../kernel/operation.ts";
import { bookOf, find } from "../../kernel/own-book.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { nagActions } from "../nags/actions.ts";
import { notificationActions } from "../notifications/actions.ts";
import type { KindActions } from "../notifications/kind-actions.ts";
import { scheduleActions } from "../schedules/actions.ts";
import { workspaceActions } from "../workspaces/actions.ts";

/** What the features can do to their kinds, in the order in which `next` answers and names are looked up. */
export const actions = [
  notificationActions,
  scheduleActions,
  nagActions,
  workspaceActions,
] as const;

const all: readonly KindActions[] = actions;

/** The record of an id: what these operations are named after is a notification. */
export async function targetOf(id: string, context: Context): Promise<AnyRecord> {
  const book = bookOf(context);
  return (await book.get(id)) ?? find(book, notificationActions.kind, id);
}

/** The same; what a notification is sent for stands for the notification. */
export async function sourceOf(id: string, context: Context): Promise<AnyRecord> {
  const target = await targetOf(id, context);
  for (const { sentFor } of all) {
    const source = await sentFor?.(target, bookOf(context));
    if (source !== undefined) return source;
  }
  return target;
}

/** How a verb is done to records of a kind. One without such an action is refused: it is no notification. */
export function actionOf<Verb extends "cancel" | "done" | "snooze">(
  verb: Verb,
  { kind }: AnyRecord,
): NonNullable<KindActions[Verb]> {
  const own = all.find((each) => each.kind.name === kind)?.[verb];
  return own ?? notificationActions[verb];
}
