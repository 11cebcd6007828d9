import { bookOf, findRecord } from "../../kernel/book.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { notificationActions, type RecordActions } from "../notifications/index.ts";
type Verb = "cancel" | "done" | "snooze";

/** What can be done to a record, whatever its kind is. */
export interface ActionsAcross {
  /** The record of an id: what these operations are named after is a notification. */
  targetOf(id: string, context: Context): Promise<AnyRecord>;
  /** The same; what a notification is sent for stands for the notification. */
  sourceOf(id: string, context: Context): Promise<AnyRecord>;
  /** How a verb is done to records of a kind. One without such an action is refused: it is no notification. */
  actionOf<V extends Verb>(verb: V, record: AnyRecord): NonNullable<RecordActions[V]>;
}

/** The actions of the features, in the order in which `next` answers and names are looked up. */
export function actionsOver(actions: readonly RecordActions[]): ActionsAcross {
  const targetOf: ActionsAcross["targetOf"] = async (id, context) => {
    const book = bookOf(context);
    return (await book.get(id)) ?? findRecord(book, notificationActions.kind, id);
  };
  return {
    targetOf,
    async sourceOf(id, context) {
      const target = await targetOf(id, context);
      for (const { sentFor } of actions) {
        const source = await sentFor?.(target, bookOf(context));
        if (source !== undefined) return source;
      }
      return target;
    },
    actionOf(verb, { kind }) {
      const own = actions.find((each) => each.kind.name === kind)?.[verb];
      return own ?? notificationActions[verb];
    },
  };
}
