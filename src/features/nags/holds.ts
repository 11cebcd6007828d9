import { scoped } from "../../kernel/holds.ts";

// Stored holds have these names: none may change.

/** A page has one nag. */
export function nagPageHold(owner: string, pageId: string): string {
  return scoped("nag-page:", owner, pageId);
}

/** The limit of live nags of one owner. */
export const nagsMax = 1_000;

/** One of the owner's slots, by its number, so that the controller can restate a nag's holds. */
export function nagSlotHold(owner: string, slot: number): string {
  return scoped(nagSlots, owner, String(slot));
}

const nagSlots = "nag-place:";

export function isNagSlot(name: unknown): boolean {
  return typeof name === "string" && name.startsWith(nagSlots);
}

/** The minute of a computed time, counted from 1970. */
export function minuteHold(owner: string, minute: number): string {
  return scoped("minute:", owner, String(minute));
}
