import * as z from "zod";
import type { Kind } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Outlook } from "./hold.ts";
import { notificationView } from "./operations/view.ts";
import type { Later } from "./snooze.ts";
import type { WaitingView } from "./waiting.ts";

/**
 * What can be done to records of one kind by an id or a name alone; absent: this kind has no such action. Cancel, done
 * and snooze answer in the shape of a notification, whatever the kind.
 */
export interface RecordActions<S extends Shape = Shape> {
  readonly kind: Kind<S>;
  cancel?(id: string, reason: string, context: Context): Promise<z.infer<typeof cancelView>>;
  done?(id: string, context: Context): Promise<z.infer<typeof doneView>>;
  snooze?(id: string, later: Later, view: ViewContext): Promise<z.infer<typeof snoozeView>>;
  /** The record of this kind that a notification is sent for: done with the one is done with the other. */
  sentFor?(notification: AnyRecord, book: Book): Promise<LedgerRecord<S> | undefined>;
  readonly names?: RecordNames<S>;
  readonly upcoming?: Upcoming;
}

/** How an answer shows times, and the request that it answers. */
export interface ViewContext {
  readonly options: Outlook;
  readonly context: Context;
}

const nagId = z
  .string()
  .optional()
  .describe("the id of the nag, if the id was that of a nag or of a notification that it sent");

export const cancelView = notificationView.extend({
  result: z.enum(["cancelled", "cancelling", "cancelled_before"]),
  nag_id: nagId,
});

export const doneView = notificationView.extend({
  result: z
    .enum(["cancelled", "cancelling", "cancelled_before", "done"])
    .describe(
      "done: it had been delivered; cancelled: it had not been, and is not sent; cancelled_before: it was cancelled or done before",
    ),
  taken_back: z.array(z.string()).describe("the snoozed copies that were cancelled with it"),
  nag_id: nagId,
});

export const snoozeView = notificationView.extend({
  result: z
    .enum(["moved", "again"])
    .describe("moved: it waits, and has a new time; again: this copy of it is sent"),
  nag_id: nagId,
});

/** How records of a kind are found by name. A name belongs to one live record at most. */
interface RecordNames<S extends Shape = Shape> {
  /** True: a name may equal the id of another record. */
  readonly mayBeIds: boolean;
  live(book: Book, name: string): Promise<LedgerRecord<S> | undefined>;
  /** The newest first. */
  ended?(book: Book, name: string): Promise<readonly LedgerRecord<S>[]>;
}

/** What will happen to records of a kind, under one key of the answer of `next`. */
export interface Upcoming<Key extends string = string, View extends z.ZodType = z.ZodType> {
  readonly key: Key;
  readonly view: View;
  readonly description?: string;
  list(range: UpcomingRange): Promise<UpcomingList<z.output<View>>>;
  /** Undefined: the record has no next time. */
  line(view: z.output<View>): UpcomingLine | undefined;
}

interface UpcomingRange extends ViewContext {
  readonly until: number;
  readonly limit: number;
}

interface UpcomingList<View> {
  readonly found: readonly Found<View>[];
  /** True: the ledger has more than were read. */
  readonly isCut: boolean;
}

interface Found<View> {
  readonly at: number;
  /** What happens at this time and again later; absent: it happens once. */
  readonly repeats?: string;
  show(): Promise<View>;
}

interface UpcomingLine {
  /** When it happens, which may be after its own time. */
  readonly at: string;
  readonly waiting: WaitingView | null;
  readonly text: string;
  readonly target: string;
  readonly id: string;
  /** How often it happens, in words; null: once. */
  readonly every?: string | null;
}

/** Keeps the types of a feature's actions. */
export function recordActions<S extends Shape, const A extends RecordActions<S>>(
  actions: A & { readonly kind: Kind<S> },
): A {
  return actions;
}
