import type { DueRow } from "./row.ts";

/** Due rows as they are claimed: by wake time, then by order of appending. */
export type Shelf = DueRow[];

export function putOn(shelf: Shelf, row: DueRow): void {
  shelf.splice(placeOf(shelf, row), 0, row);
}

export function takeOff(shelf: Shelf, row: DueRow): void {
  shelf.splice(placeOf(shelf, row), 1);
}

export function firstDue(shelf: Shelf, now: number): DueRow | undefined {
  const [first] = shelf;
  return first && first.wakeAt <= now ? first : undefined;
}

export function byWakeTime(a: Place, b: Place): number {
  return a.wakeAt - b.wakeAt || a.seq - b.seq;
}

type Place = Pick<DueRow, "wakeAt" | "seq">;

function placeOf(shelf: Shelf, place: Place): number {
  return firstIndex(shelf, (row) => byWakeTime(row, place) >= 0);
}

/** The first item of a sorted list that passes; its length when none does. */
export function firstIndex<T>(sorted: readonly T[], passes: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && passes(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
