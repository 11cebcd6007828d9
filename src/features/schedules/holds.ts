import { scopedName, slots, slotsMax } from "../../kernel/holds.ts";
import type { Hold } from "../../kernel/unit.ts";

// These names are stored, so they must not change.

/** One of the owner's slots for schedules. */
export function scheduleSlot(owner: string, limit: number): Hold {
  return slots(scopedName("schedule:", owner), Math.min(limit, slotsMax));
}

export function nameHold(owner: string, name: string): string {
  return scopedName("schedule-name:", owner, name.toLowerCase());
}

/** Held by the current run, unless runs may overlap. */
export function runHold(scheduleId: string): string {
  return `run:${scheduleId}`;
}

/** Held by the one run that waits for its turn. */
export function queuedHold(scheduleId: string): string {
  return `queued:${scheduleId}`;
}
