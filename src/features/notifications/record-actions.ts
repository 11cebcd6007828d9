import * as z from "zod";
import type { Kind } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { dueView, MomentOptions } from "../accounts/index.ts";
import { notificationView } from "./operations/view.ts";
import type { Later } from "./snooze.ts";

/**
 * What can be done to records of one kind by an id or a name alone; absent: not to this kind. Whatever the kind, what
 * is cancelled, done or snoozed is answered as a notification.
 */
export interface RecordActions<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  cancel?(id: string, reason: string, context: Context): Promise<z.infer<typeof cancelView>>;
  done?(id: string, context: Context): Promise<z.infer<typeof doneView>>;
  snooze?(id: string, later: Later, at: ViewedFrom): Promise<z.infer<typeof snoozeView>>;
  /** The record of this kind that a notification is sent for: who is done with the one is done with the other. */
  sentFor?(notification: AnyRecord, book: Book): Promise<LedgerRecord<S> | undefined>;
  readonly names?: RecordNames<S>;
  readonly upcoming?: Upcoming;
}

export interface ViewedFrom {
  readonly look: MomentOptions;
  readonly context: Context;
}

/** Of a nag: its id, in the place of a notification's. */
const nag = z
  .string()
  .optional()
  .describe("what is said until it is done, and was named or is said by the one that was named");

export const cancelView = notificationView.extend({
  result: z.enum(["cancelled", "cancelling", "cancelled_before"]),
  nag,
});

export const doneView = notificationView.extend({
  result: z
    .enum(["cancelled", "cancelling", "cancelled_before", "done"])
    .describe("done: it had been said; the others: it had not, and is not any more"),
  taken_back: z
    .array(z.string())
    .describe("what would have said it once more, after it was put off, and does not now"),
  nag,
});

export const snoozeView = notificationView.extend({
  result: z
    .enum(["moved", "again"])
    .describe("moved: the time of one that waits; again: it is said once more, by this one"),
  nag,
});

/** How records of a kind are found by name. Only one of those that live has a name. */
interface RecordNames<S extends Shape = Shape> {
  /** A name may be an id of another record, and then means two things. */
  readonly mayBeIds: boolean;
  live(book: Book, name: string): Promise<LedgerRecord<S> | undefined>;
  /** The newest first. */
  ended?(book: Book, name: string): Promise<readonly LedgerRecord<S>[]>;
}

/** What will happen to records of a kind, under one key of what `next` answers. */
export interface Upcoming<Key extends string = string, View extends z.ZodType = z.ZodType> {
  readonly key: Key;
  readonly view: View;
  readonly description?: string;
  list(range: UpcomingRange): Promise<UpcomingList<z.output<View>>>;
  /** Undefined: it has no time. */
  line(view: z.output<View>): UpcomingLine | undefined;
}

interface UpcomingRange extends ViewedFrom {
  readonly until: number;
  readonly limit: number;
}

interface UpcomingList<View> {
  readonly found: readonly { readonly at: number; show(): Promise<View> }[];
  /** More is in the book than was read. */
  readonly isCut: boolean;
}

interface UpcomingLine {
  /** When it happens, which may be later than it is due. */
  readonly at: string;
  readonly due: z.infer<typeof dueView>;
  readonly text: string;
  readonly target: string;
  readonly id: string;
}

/** Keeps the types of what one feature can do. */
export function recordActions<S extends Shape, const A extends RecordActions<S>>(
  actions: A & { readonly kind: Kind<S> },
): A {
  return actions;
}
