import { scoped } from "../../kernel/holds.ts";

// Names that are held stand in books: none may change.

/** A page has one nag. */
export function nagPageHold(owner: string, pageId: string): string {
  return scoped("nag-page:", owner, pageId);
}

/** An owner may have so many nags. */
export const nagsMax = 1_000;

/** One of the owner's slots, by its number: the controller states a nag's holds anew each time, and knows its own. */
export function nagSlotHold(owner: string, slot: number): string {
  return scoped(nagSlots, owner, String(slot));
}

const nagSlots = "nag-place:";

export function isNagSlot(name: unknown): boolean {
  return typeof name === "string" && name.startsWith(nagSlots);
}

/** The minute that a time was computed to be in: counted from 1970, as every clock counts it. */
export function minuteHold(owner: string, minute: number): string {
  return scoped("minute:", owner, String(minute));
}
