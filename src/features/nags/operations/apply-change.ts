import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf, find, untilFresh } from "../../../kernel/own-book.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import type { Draft } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { marksOf } from "../../notifications/operations/marks.ts";
import type { MarkTexts } from "../../texts/marks.ts";
import type { NagChange } from "../change.ts";
import { nagKind } from "../kind.ts";
import { stateOf, type Nag } from "./view.ts";

/** What becomes of a nag and of what says it, and what the message that was sent shows of it. */
interface Change extends NagChange {
  readonly mark?: (marks: MarkTexts) => string;
}

export interface Changed {
  readonly record: Nag;
  /** False: it was left as it is. */
  readonly changed: boolean;
}

/** Its controller writes too, and may come between more than once. */
const triesMax = 20;

/** Changes one as it is when that is written: one unit. Undefined leaves it as it is. */
export async function changeNag(
  id: string,
  context: Context,
  change: (record: Nag) => Change | undefined,
): Promise<Changed> {
  const book = bookOf(context);
  return untilFresh(async () => {
    const record = await find(book, nagKind, id);
    const wanted = change(record);
    if (wanted === undefined) return { record, changed: false };
    const { edit, consequences, mark } = wanted;
    const marks = mark === undefined ? [] : await marksOn(book, record, mark, context);
    const append = [...(consequences.append ?? []), ...marks];
    try {
      return { record: await book.edit(edit, { ...consequences, append }), changed: true };
    } catch (error) {
      throw hasCode(error, "leased", "ended") ? meanwhile(error) : error;
    }
  }, triesMax);
}

/** Claimed or ended since it was read: read it again and decide anew. */
function meanwhile(cause: unknown): DaybookError {
  return new DaybookError("stale", "It was worked on at the same time: ask again.", { cause });
}

/** On the message that is being sent, and on the last one that arrived. */
export async function marksOn(
  book: Book,
  { outcome }: Nag,
  mark: (marks: MarkTexts) => string,
  context: Context,
): Promise<readonly Draft[]> {
  const drafts: Draft[] = [];
  for (const id of new Set([outcome?.saying, outcome?.lastSaid])) {
    const said = id == null ? undefined : await book.get(id);
    if (is(notificationKind, said)) drafts.push(...(await marksOf(said, mark, context)));
  }
  return drafts;
}

export function isOver(record: Nag): boolean {
  return !["active", "paused"].includes(stateOf(record));
}

/** One that goes on; what has ended is not changed. */
export function going(record: Nag, verb: string): Nag {
  if (!isOver(record)) return record;
  const state = stateOf(record);
  const sentence = `It is ${state} already, so it cannot be ${verb}: ask for it anew.`;
  throw new DaybookError("ended", sentence, { details: { state } });
}

/** The nag that a notification is sent for. */
export async function nagOf(book: Book, record: AnyRecord): Promise<Nag | undefined> {
  if (!is(notificationKind, record) || record.body.type !== "nag") return undefined;
  const cause = record.parent === null ? undefined : await book.get(record.parent);
  return is(nagKind, cause) ? cause : undefined;
}
