import { scopedName } from "../../kernel/holds.ts";

// These names are stored, so they must not change.

/** Lets a page have only one live nag. */
export function nagPageHold(owner: string, pageId: string): string {
  return scopedName("nag-page:", owner, pageId);
}

/** How many live nags one owner may have. */
export const nagsMax = 1_000;

/** One of the owner's slots, by the number that the nag's body keeps. */
export function nagSlotHold(owner: string, slot: number): string {
  return scopedName(nagSlots, owner, String(slot));
}

const nagSlots = "nag-place:";

export function isNagSlot(name: unknown): boolean {
  return typeof name === "string" && name.startsWith(nagSlots);
}

/** Lets only one nag of an owner be due in a minute, which is counted from 1970. */
export function minuteHold(owner: string, minute: number): string {
  return scopedName("minute:", owner, String(minute));
}
