import type { Fields } from "./executors.ts";

/**
 * The wake times from which a claim scans a queue's index. At the head of that index are the entries of rows that
 * were claimed and not yet vacuumed: without a floor each claim walks them all, and an old snapshot (a backup)
 * keeps them for hours.
 */
export interface Floors {
  /** The floors of the last scan, which may be out of date. */
  last(queue: string): readonly number[];
  /** Per priority: as far as this node knows, no due row is below. */
  of(queue: string, now: number): readonly number[];
  /** Raises the floors after a scan. */
  raise(queue: string, found: readonly Fields[], scan: Scan): void;
  /** A lane was freed: there may be due rows below. */
  reset(queue: string): void;
}

interface Scan {
  readonly now: number;
  readonly limit: number;
  readonly lowFirst?: boolean | undefined;
}

/** A row may be committed this long after its wake time. */
const marginMs = 5_000;
/** After this long one claim scans from the start, for rows of a rolled back claim or of a long transaction. */
const fromStartMs = 10_000;

const start: readonly number[] = [0, 0, 0];

/** Always scans from the start. */
export const noFloors: Floors = {
  last: () => start,
  of: () => start,
  raise: () => undefined,
  reset: () => undefined,
};

export function floors(mono: () => number): Floors {
  const known = new Map<string, { lowest: number[]; startedAt: number; now: number }>();
  return {
    last: (queue) => known.get(queue)?.lowest.slice() ?? start,
    of(queue, now) {
      const floor = known.get(queue);
      // A clock that was set back puts new rows below.
      const isValid = floor && mono() - floor.startedAt < fromStartMs && now > floor.now - marginMs;
      if (isValid) return floor.lowest.map((at) => Math.max(0, Math.min(at, now - marginMs)));
      known.set(queue, { lowest: [...start], startedAt: mono(), now });
      return start;
    },
    raise(queue, found, { now, limit, lowFirst }) {
      const floor = known.get(queue);
      if (floor === undefined || limit === 0) return;
      floor.now = now;
      const order = lowFirst ? [2, 1, 0] : [0, 1, 2];
      const full = found.length >= limit;
      const last = Number(found.at(-1)?.["priority"] ?? 0);
      // The floor of a branch that did not start, because the batch was full, stays.
      const scanned = full ? order.slice(0, order.indexOf(last) + 1) : order;
      for (const priority of scanned) {
        const first = found.find((fields) => Number(fields["priority"]) === priority);
        floor.lowest[priority] = (first === undefined ? now : Number(first["dueAt"])) - marginMs;
      }
    },
    reset: (queue) => void known.delete(queue),
  };
}
