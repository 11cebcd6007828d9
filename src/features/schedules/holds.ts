import { scoped, slots, slotsMax } from "../../kernel/holds.ts";
import type { Hold } from "../../kernel/unit.ts";

// Names that are held stand in books: none may change.

/** One of the owner's slots for schedules. */
export function scheduleSlot(owner: string, limit: number): Hold {
  return slots(scoped("schedule:", owner), Math.min(limit, slotsMax));
}

export function nameHold(owner: string, name: string): string {
  return scoped("schedule-name:", owner, name.toLowerCase());
}

/** The name that the one run at work has, unless runs may overlap. */
export function runHold(scheduleId: string): string {
  return `run:${scheduleId}`;
}

/** The name that the one run waiting for its turn has. */
export function queuedHold(scheduleId: string): string {
  return `queued:${scheduleId}`;
}
