import { isoOf } from "../../platform/iso-time.ts";
import { type Cadence, firesAfter, firesBetween } from "../../time/cadence.ts";

/** The due slots, as they become rows. */
export interface DueSlots {
  /** The newest slots, oldest first: each has a row. */
  readonly fires: readonly number[];
  /** As many of these as one unit can carry. */
  readonly first: readonly number[];
  /** The last slot of this unit; undefined: the unit carries all of them. */
  readonly cutAt: number | undefined;
  /** Earlier slots share one row, at the last of them. */
  readonly before:
    | { readonly at: number; readonly count: number; readonly span: string }
    | undefined;
}

const rowsMaxDefault = 1_000;
/** How many rows one unit carries. */
export const unitMax = 200;

/** The slots in (after, until]; at most `rowsMax` have a row of their own. */
export function dueSlots(
  cadence: Cadence,
  after: number,
  until: number,
  rowsMax: number = rowsMaxDefault,
): DueSlots {
  const { fires, earlier } = firesBetween(cadence, after, until, rowsMax);
  const [oldest = until + 1] = fires;
  return {
    fires,
    first: fires.slice(0, unitMax),
    cutAt: fires.length > unitMax ? fires[unitMax - 1] : undefined,
    before: earlier === 0 ? undefined : sharedRow(cadence, { after, until: oldest - 1 }, earlier),
  };
}

function sharedRow(
  cadence: Cadence,
  { after, until }: { after: number; until: number },
  count: number,
): NonNullable<DueSlots["before"]> {
  const [from = until] = firesAfter(cadence, after, 1);
  const [at = until] = firesBetween(cadence, after, until, 1).fires;
  return { at, count, span: `from ${isoOf(from)} to ${isoOf(at)}` };
}
