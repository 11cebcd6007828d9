import type { Priority } from "../../kernel/record.ts";
import type { DueRow } from "./row.ts";

/** The due rows of each queue, and of each of its lanes. */
export type DueIndex = Map<string, DueLists>;

export type DueLists = Readonly<Record<Priority, DueList>>;

/**
 * Due rows in the order of claims: by wake time, then by order of appending. They are kept in blocks, none of them
 * empty, so that adding or removing one of a hundred thousand rows does not move the others.
 */
type DueList = DueRow[][];

const blockMax = 512;

/** The due rows of a queue, or of one lane of it. */
export function dueLists(index: DueIndex, queue: string, lane: string | null): DueLists {
  const name = lane === null ? queue : `${queue}\0${lane}`; // no name has a NUL in it
  const found = index.get(name);
  if (found !== undefined) return found;
  const fresh = { high: [], normal: [], low: [] };
  index.set(name, fresh);
  return fresh;
}

export function addDue(index: DueIndex, row: DueRow): void {
  for (const list of listsWith(index, row)) {
    const at = blockFor(list, row);
    const block = list[at];
    if (block === undefined) {
      list.push([row]);
      continue;
    }
    block.splice(positionIn(block, row), 0, row);
    if (block.length > blockMax) list.splice(at + 1, 0, block.splice(blockMax / 2));
  }
}

export function removeDue(index: DueIndex, row: DueRow): void {
  for (const list of listsWith(index, row)) {
    const at = blockFor(list, row);
    const block = list[at];
    block?.splice(positionIn(block, row), 1);
    if (block?.length === 0) list.splice(at, 1);
  }
}

function listsWith(index: DueIndex, { queue, lane, priority }: DueRow): readonly DueList[] {
  const whole = dueLists(index, queue, null)[priority];
  return lane === null ? [whole] : [whole, dueLists(index, queue, lane)[priority]];
}

/** At most `limit` rows that wake until `until` and are in none of the lanes. */
export function firstDue(
  list: DueList,
  until: number,
  limit: number,
  except: ReadonlySet<string | null>,
): DueRow[] {
  const found: DueRow[] = [];
  for (const block of list) {
    for (const row of block) {
      if (found.length >= limit || row.wakeAt > until) return found;
      if (!except.has(row.lane)) found.push(row);
    }
  }
  return found;
}

type Position = Pick<DueRow, "wakeAt" | "seq">;

export function byWakeTime(a: Position, b: Position): number {
  return a.wakeAt - b.wakeAt || a.seq - b.seq;
}

/** The last block that starts at the position or before it; the first one when none does. */
function blockFor(list: DueList, position: Position): number {
  const after = firstIndex(list, ([row]) => row !== undefined && byWakeTime(row, position) > 0);
  return Math.max(after - 1, 0);
}

function positionIn(block: readonly DueRow[], position: Position): number {
  return firstIndex(block, (row) => byWakeTime(row, position) >= 0);
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
