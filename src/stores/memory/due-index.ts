import type { DueRow } from "./row.ts";

/**
 * Due rows as they are claimed: by wake time, then by order of appending. They stand in blocks, none
 * of them empty, so that a row among a hundred thousand is put and taken without moving the others.
 */
export type Shelf = DueRow[][];

const blockMax = 512;

export function shelf(): Shelf {
  return [];
}

export function putOn(shelf: Shelf, row: DueRow): void {
  const at = blockFor(shelf, row);
  const block = shelf[at];
  if (block === undefined) {
    shelf.push([row]);
    return;
  }
  block.splice(placeIn(block, row), 0, row);
  if (block.length > blockMax) shelf.splice(at + 1, 0, block.splice(blockMax / 2));
}

export function takeOff(shelf: Shelf, row: DueRow): void {
  const at = blockFor(shelf, row);
  const block = shelf[at];
  block?.splice(placeIn(block, row), 1);
  if (block?.length === 0) shelf.splice(at, 1);
}

/** The first so many that wake by then and are in none of the lanes. */
export function firstDue(
  shelf: Shelf,
  by: number,
  limit: number,
  except: ReadonlySet<string | null>,
): DueRow[] {
  const found: DueRow[] = [];
  for (const block of shelf) {
    for (const row of block) {
      if (found.length >= limit || row.wakeAt > by) return found;
      if (!except.has(row.lane)) found.push(row);
    }
  }
  return found;
}

export function byWakeTime(a: Place, b: Place): number {
  return a.wakeAt - b.wakeAt || a.seq - b.seq;
}

type Place = Pick<DueRow, "wakeAt" | "seq">;

/** The last block that starts at the place or before it; the first one when none does. */
function blockFor(shelf: Shelf, place: Place): number {
  const after = firstIndex(shelf, ([row]) => row !== undefined && byWakeTime(row, place) > 0);
  return Math.max(after - 1, 0);
}

function placeIn(block: readonly DueRow[], place: Place): number {
  return firstIndex(block, (row) => byWakeTime(row, place) >= 0);
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
