import type { Fields } from "./executors.ts";

/**
 * Where a claim starts to look. Behind the head of the queue's index lie the entries of rows that were
 * claimed and not yet vacuumed: without a floor each claim walks them all, and an old snapshot (a backup)
 * keeps them for hours.
 */
export interface Floors {
  /** As it was at the last look, whatever has happened since. */
  last(queue: string): readonly number[];
  /** Per priority: nothing due lies below, as far as this node knows. */
  of(queue: string, now: number): readonly number[];
  saw(queue: string, found: readonly Fields[], look: Look): void;
  /** Something was put below: a lane was freed. */
  forget(queue: string): void;
}

interface Look {
  readonly now: number;
  readonly limit: number;
  readonly lowFirst?: boolean | undefined;
}

/** A row may be committed this long after the time it was made due at. */
const marginMs = 5_000;
/** Then one claim looks from the start: what a claim that was rolled back, or a long transaction, left. */
const fromStartMs = 10_000;

const start: readonly number[] = [0, 0, 0];

/** Looks from the start, always. */
export const noFloors: Floors = {
  last: () => start,
  of: () => start,
  saw: () => undefined,
  forget: () => undefined,
};

export function floors(mono: () => number): Floors {
  const known = new Map<string, { lowest: number[]; startedAt: number; now: number }>();
  return {
    last: (queue) => known.get(queue)?.lowest.slice() ?? start,
    of(queue, now) {
      const floor = known.get(queue);
      // A clock that was set back puts new rows below.
      const isGood = floor && mono() - floor.startedAt < fromStartMs && now > floor.now - marginMs;
      if (isGood) return floor.lowest.map((at) => Math.max(0, Math.min(at, now - marginMs)));
      known.set(queue, { lowest: [...start], startedAt: mono(), now });
      return start;
    },
    saw(queue, found, { now, limit, lowFirst }) {
      const floor = known.get(queue);
      if (floor === undefined || limit === 0) return;
      floor.now = now;
      const order = lowFirst ? [2, 1, 0] : [0, 1, 2];
      const full = found.length >= limit;
      const last = Number(found.at(-1)?.["priority"] ?? 0);
      // A branch that was not begun, because the batch was full before it, says nothing.
      const begun = full ? order.slice(0, order.indexOf(last) + 1) : order;
      for (const priority of begun) {
        const first = found.find((fields) => Number(fields["priority"]) === priority);
        floor.lowest[priority] = (first === undefined ? now : Number(first["dueAt"])) - marginMs;
      }
    },
    forget: (queue) => void known.delete(queue),
  };
}
