import { bookOf } from "../../kernel/book.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Context } from "../../kernel/operation.ts";
import type { Appended, DraftOf } from "../../kernel/unit.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { isNagSlot, nagsMax } from "./holds.ts";
import { type NagKind, nagKind } from "./kind.ts";

/** So many slots are guessed; then the free ones are read. */
const guessesMax = 3;
const triesMax = 20;

/**
 * Writes a nag in one of its owner's slots. The slot is chosen here and not by the store, because the controller
 * restates all holds with every verdict and needs the slot's number in the body.
 */
export async function appendInSlot(
  make: (quotaSlot: number) => DraftOf<NagKind>,
  context: Context,
): Promise<Appended<NagKind>> {
  const book = bookOf(context);
  for (let tries = 1; ; tries += 1) {
    const free = tries <= guessesMax ? undefined : await freeSlots(book, context.owner);
    const drawn = Buffer.from(context.randomBytes(4)).readUInt32BE();
    const slot = free?.[drawn % free.length] ?? (drawn % nagsMax) + 1;
    try {
      return await book.append(make(slot));
    } catch (error) {
      const isTaken = hasCode(error, "held") && isNagSlot(error.details["name"]);
      if (!isTaken || tries === triesMax) throw error;
    }
  }
}

async function freeSlots(book: Book, owner: string): Promise<readonly number[]> {
  const live = await Array.fromAsync(recordsIn(book, { kind: nagKind, live: true }));
  const taken = new Set(live.map(({ body }) => body.quotaSlot));
  const all = Array.from({ length: nagsMax }, (_, index) => index + 1);
  const free = all.filter((slot) => !taken.has(slot));
  if (free.length > 0) return free;
  const sentence = `The book of ${quote(owner)} has ${nagsMax} nags, which is the limit: finish or delete one first.`;
  throw new DaybookError("held", sentence, { details: { limit: nagsMax } });
}

/** So many of the slots that are free now. */
export async function freeSlotsFor(count: number, context: Context): Promise<readonly number[]> {
  const free = await roomFor(count, context);
  if (count === 0) return [];
  // Starts at a random slot, because simultaneous requests would all take the first ones.
  const from = Buffer.from(context.randomBytes(4)).readUInt32BE() % free.length;
  return [...free.slice(from), ...free.slice(0, from)].slice(0, count);
}

/** These slots, and free ones in place of those that are taken now. */
export async function slotsLike(
  wanted: readonly number[],
  context: Context,
): Promise<readonly number[]> {
  const free = new Set(await roomFor(wanted.length, context));
  const kept = wanted.map((slot) => (free.delete(slot) ? slot : undefined));
  const others = free.values();
  return kept.flatMap((slot) => slot ?? others.next().value ?? []);
}

/** All free slots. Throws when they are fewer than that. */
async function roomFor(count: number, context: Context): Promise<readonly number[]> {
  if (count === 0) return [];
  const { owner } = context;
  const free = await freeSlots(bookOf(context), owner);
  if (free.length >= count) return free;
  const sentence = `The book of ${quote(owner)} has room for ${free.length} more nags, not for ${count}: finish or delete some first.`;
  throw new DaybookError("held", sentence, { details: { left: free.length } });
}
