import { bookOf } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { newId } from "../../../kernel/new-id.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { Profile } from "../../../kernel/profile.ts";
import type { Appended, DraftOf, Hold } from "../../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { dayOf } from "../../../time/zone.ts";
import { expiryOf } from "../expiry.ts";
import { collapseHold, guardOf, pendingPerTaskMax, taskHolds } from "../holds.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";
import { snoozeHold } from "../snooze.ts";

type Body = NotificationKind["body"];
type Draft = DraftOf<NotificationKind>;
export type Inserted = Appended<NotificationKind> & { readonly replaces?: string | undefined };

const roundsMax = 5;

/** Writes a notification with its holds. It replaces an older one with the same collapse key. */
export async function insert(draft: Draft, context: Context): Promise<Inserted> {
  const book = bookOf(context);
  const name = collapseHold(context.owner, draft.body);
  const guards = taskHolds({ owner: context.owner, zone: context.profile.zone, body: draft.body });
  // The collapse key comes first, so that an older notification is replaced before a guard counts it.
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

/** The holder of the collapse key, if the error is about that. */
function olderOf(error: unknown): string | undefined {
  if (!hasCode(error, "held") || guardOf(error.details["name"]) !== "collapse") return undefined;
  const { holder } = error.details;
  return typeof holder === "string" ? holder : undefined;
}

/** `strict` holds the collapse key; without it, a draft holds the guards alone. */
type Drafts = { readonly strict: Draft; readonly guards: readonly Hold[] };

/** Cancels the older and writes the newer in one unit. Undefined: the older has ended, so try again. */
async function replace(
  older: string,
  { strict, guards }: Drafts,
  context: Context,
): Promise<Inserted | undefined> {
  const book = bookOf(context);
  const id = newId(context);
  const cancel = { id: older, reason: `replaced by ${id}` };
  const ends = expiryOf(strict).map((end) => ({ ...end, parent: id }));
  try {
    const { result } = await book.cancel(cancel, { append: [{ ...strict, id }, ...ends] });
    if (result === "cancelled") return await written(book, id, older);
    if (result === "ended") return undefined;
  } catch (error) {
    if (olderOf(error) === undefined) throw guardRefusal(error, strict.body, context);
  }
  // The older is being sent right now and keeps its name: the newer is written without the name.
  const beside = { ...strict, id, holds: guards, parent: older };
  try {
    return { ...(await book.append(beside, { append: ends, cancel: [cancel] })), replaces: older };
  } catch (error) {
    throw guardRefusal(error, strict.body, context);
  }
}

/** Undefined if its key was taken meanwhile: another try returns the record with the key. */
async function written(book: Book, id: string, older: string): Promise<Inserted | undefined> {
  const record = await book.get(id);
  return is(notificationKind, record) ? { fresh: true, id, record, replaces: older } : undefined;
}

/** The owner of a record, and the settings that its holds depend on. */
export type Whose = Pick<Context, "owner"> & { readonly profile: Pick<Profile, "zone"> };

/** The holds of a notification after its time was moved. */
export function holdsAfter(id: string, body: Body, { owner, profile }: Whose): readonly Hold[] {
  if (body.snoozedFrom !== undefined) return [snoozeHold(body.snoozedFrom)];
  const name = collapseHold(owner, body);
  // A notification that was written without the name gets a name of its own.
  const collapse = name === undefined ? [] : [{ oneOf: [name, `${name}#${id}`] }];
  return [...collapse, ...taskHolds({ owner, zone: profile.zone, body })];
}

/** The error of a guard, with a sentence that says what to do. */
export function guardRefusal(error: unknown, body: Body, context: Context): unknown {
  if (!hasCode(error, "held")) return error;
  const { holder } = error.details;
  const { relatedTaskId: task = "", type = "reminder" } = body;
  const sentence = {
    task: `The task ${quote(task)} already has ${pendingPerTaskMax} waiting notifications: cancel or update one of them.`,
    day: `The task ${quote(task)} already has a ${type} on ${dayOf(body.at, context.profile.zone)}${typeof holder === "string" ? `, ${holder}` : ""}: update that one, or choose another day.`,
    collapse:
      "Other notifications with this collapse key were written at the same time: try again.",
    other: error.message,
  }[guardOf(error.details["name"]) ?? "other"];
  return new DaybookError("held", sentence, { cause: error, details: error.details });
}
