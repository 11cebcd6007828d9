import { bookOf } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { Appended, DraftOf, Hold } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { ids } from "../../../platform/ids.ts";
import { quote } from "../../../platform/text.ts";
import { dayOf } from "../../../time/zone.ts";
import { expiryOf } from "../expiry.ts";
import { collapseHold, guardOf, pendingPerTaskMax, taskHolds } from "../holds.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { snoozeHold } from "../snooze.ts";

type Body = NotificationKind["body"];
type Draft = DraftOf<NotificationKind>;
export type Inserted = Appended<NotificationKind> & { readonly replaces?: string };

const roundsMax = 5;

/** Writes a notification under the guards; it takes the place of an older one with its collapse key. */
export async function insert(draft: Draft, context: Context): Promise<Inserted> {
  const book = bookOf(context);
  const name = collapseHold(context.owner, draft.body);
  const guards = taskHolds({ owner: context.owner, zone: context.profile.zone, body: draft.body });
  // The collapse key comes first: an older one is to be found by it before a guard counts it.
  const strict = { ...draft, holds: [...(name === undefined ? [] : [name]), ...guards] };
  const ends = expiryOf(strict);
  for (let round = 1; ; round += 1) {
    try {
      return await book.append(strict, ends.length === 0 ? undefined : { append: ends });
    } catch (error) {
      const older = olderOf(error);
      if (older === undefined || round === roundsMax)
        throw guardRefusal(error, draft.body, context);
      const inserted = await replace(older, { strict, guards }, context);
      if (inserted !== undefined) return inserted;
    }
  }
}

/** Who has the collapse key, if that is what was refused. */
function olderOf(error: unknown): string | undefined {
  if (!hasCode(error, "held") || guardOf(error.details["name"]) !== "collapse") return undefined;
  const { holder } = error.details;
  return typeof holder === "string" ? holder : undefined;
}

interface Drafts {
  readonly strict: Draft;
  /** What it holds when the older one cannot give up its name. */
  readonly guards: readonly Hold[];
}

/** Takes back the older and writes the newer in one unit. Nothing: the older is gone, ask again. */
async function replace(
  older: string,
  { strict, guards }: Drafts,
  context: Context,
): Promise<Inserted | undefined> {
  const book = bookOf(context);
  const id = ids({ wall: context.now }, { bits: () => bitsOf(context) })();
  const cancel = { id: older, reason: `replaced by ${id}` };
  const ends = expiryOf(strict).map((end) => ({ ...end, parent: id }));
  try {
    const { result } = await book.cancel(cancel, { append: [{ ...strict, id }, ...ends] });
    if (result === "cancelled") return await written(book, id, older);
    if (result === "ended") return undefined;
  } catch (error) {
    if (olderOf(error) === undefined) throw guardRefusal(error, strict.body, context);
  }
  // The older is being sent right now, so its name is not free: the newer goes beside it.
  const beside = { ...strict, id, holds: guards, parent: older };
  try {
    return { ...(await book.append(beside, { append: ends, cancel: [cancel] })), replaces: older };
  } catch (error) {
    throw guardRefusal(error, strict.body, context);
  }
}

/** Nothing when its own key was taken meanwhile: then asking again answers that one. */
async function written(book: Book, id: string, older: string): Promise<Inserted | undefined> {
  const record = await book.get(id);
  return is(notificationKind, record) ? { fresh: true, id, record, replaces: older } : undefined;
}

function bitsOf({ randomBytes }: Context): number {
  return Buffer.from(randomBytes(4)).readUInt32BE();
}

/** What a notification holds after its time was moved. */
export function holdsAfter(id: string, body: Body, context: Context): readonly Hold[] {
  const { owner, profile } = context;
  if (body.snoozedFrom !== undefined) return [snoozeHold(body.snoozedFrom)];
  const name = collapseHold(owner, body);
  // One that was written beside an older one goes on without the name, under one of its own.
  const collapse = name === undefined ? [] : [{ oneOf: [name, `${name}#${id}`] }];
  return [...collapse, ...taskHolds({ owner, zone: profile.zone, body })];
}

/** A guard's refusal in words that say what to do. */
export function guardRefusal(error: unknown, body: Body, context: Context): unknown {
  if (!hasCode(error, "held")) return error;
  const { holder } = error.details;
  const { relatedTaskId: task = "", type = "reminder" } = body;
  const sentence = {
    task: `The task ${quote(task)} has ${pendingPerTaskMax} notifications waiting already: cancel or update one of them.`,
    day: `The task ${quote(task)} has a ${type} on ${dayOf(body.at, context.profile.zone)} already${typeof holder === "string" ? `, ${holder}` : ""}: update that one, or choose another day.`,
    collapse: "Others with this collapse key come and go too fast: ask again.",
    other: error.message,
  }[guardOf(error.details["name"]) ?? "other"];
  return new DaybookError("held", sentence, { cause: error, details: error.details });
}
