import { bookOf, findRecord } from "../../kernel/book.ts";
import { findByStart } from "../../kernel/id-prefix.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { notificationActions, type RecordActions } from "../notifications/index.ts";

type Verb = "cancel" | "done" | "snooze";

/** The actions on a record of any kind. */
export interface ActionsAcross {
  /** The record of an id, or of the start of one; without one, the error names a notification. */
  targetOf(id: string, context: Context): Promise<AnyRecord>;
  /** The record that a notification is sent for; the target itself if there is none. */
  sourceOf(target: AnyRecord, context: Context): Promise<AnyRecord>;
  /** The action of the record's kind; without one, that of notifications, which refuses the record. */
  actionOf<V extends Verb>(verb: V, record: AnyRecord): NonNullable<RecordActions[V]>;
}

/** The actions of all features, in the order of the answer of `next` and of the lookup of names. */
export function actionsOver(actions: readonly RecordActions[]): ActionsAcross {
  const kinds = actions.map(({ kind }) => kind);
  return {
    async targetOf(id, context) {
      const book = bookOf(context);
      const found = (await book.get(id)) ?? (await findByStart(book, id, kinds));
      return found ?? findRecord(book, notificationActions.kind, id);
    },
    async sourceOf(target, context) {
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
