import { bookOf, findRecord } from "../../kernel/book.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { notificationActions, type RecordActions } from "../notifications/index.ts";

type Verb = "cancel" | "done" | "snooze";

/** The actions on a record of any kind. */
export interface ActionsAcross {
  /** The record of an id; without one, the error names a notification. */
  targetOf(id: string, context: Context): Promise<AnyRecord>;
  /** The same; for a notification, the record that it is sent for, if any. */
  sourceOf(id: string, context: Context): Promise<AnyRecord>;
  /** The action of the record's kind; without one, that of notifications, which refuses the record. */
  actionOf<V extends Verb>(verb: V, record: AnyRecord): NonNullable<RecordActions[V]>;
}

/** The actions of all features, in the order of the answer of `next` and of the lookup of names. */
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
