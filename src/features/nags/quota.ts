import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Context } from "../../kernel/operation.ts";
import { bookOf } from "../../kernel/own-book.ts";
import type { Appended, DraftOf } from "../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { isNagSlot, nagsMax } from "./holds.ts";
import { type NagKind, nagKind } from "./kind.ts";

/** So many places are tried unseen; after that, those that are free are looked for. */
const guessesMax = 3;
const triesMax = 20;

/**
 * Writes a nag in one of its owner's places. The number is in its body, and not drawn by the store from all names:
 * its controller states its names anew each time, and a thousand would be too many.
 */
export async function appendPlaced(
  make: (place: number) => DraftOf<NagKind>,
  context: Context,
): Promise<Appended<NagKind>> {
  const book = bookOf(context);
  for (let tries = 1; ; tries += 1) {
    const free = tries <= guessesMax ? undefined : await freePlaces(book, context.owner);
    const drawn = Buffer.from(context.randomBytes(4)).readUInt32BE();
    const place = free?.[drawn % free.length] ?? (drawn % nagsMax) + 1;
    try {
      return await book.append(make(place));
    } catch (error) {
      const isTaken = hasCode(error, "held") && isNagSlot(error.details["name"]);
      if (!isTaken || tries === triesMax) throw error;
    }
  }
}

export async function freePlaces(book: Book, owner: string): Promise<readonly number[]> {
  const live = await Array.fromAsync(recordsIn(book, { kind: nagKind, live: true }));
  const taken = new Set(live.map(({ body }) => body.place));
  const all = Array.from({ length: nagsMax }, (_, index) => index + 1);
  const free = all.filter((place) => !taken.has(place));
  if (free.length > 0) return free;
  const sentence = `The book of ${quote(owner)} has ${nagsMax} things that are said until they are done, and may not have more: finish or delete one first.`;
  throw new DaybookError("held", sentence, { details: { limit: nagsMax } });
}
