import { isoOf } from "../../platform/iso-time.ts";
import { type Cadence, firesAfter, firesBetween } from "../../time/cadence.ts";

/** Slots that came, as they become rows. */
export interface DueSlots {
  /** The newest of them, oldest first: each has a row. */
  readonly fires: readonly number[];
  /** As many of these as one unit takes. */
  readonly first: readonly number[];
  /** The last that this unit takes, when others are left; undefined: it takes them all. */
  readonly cutAt: number | undefined;
  /** Those before these have one row together, at the last of them. */
  readonly before:
    | { readonly at: number; readonly count: number; readonly span: string }
    | undefined;
}

const rowsMaxDefault = 1_000;
/** So many rows stand in one unit. */
export const unitMax = 200;

/** The slots in (after, until]; at most so many have a row each. */
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
    before: earlier === 0 ? undefined : together(cadence, { after, until: oldest - 1 }, earlier),
  };
}

function together(
  cadence: Cadence,
  { after, until }: { after: number; until: number },
  count: number,
): NonNullable<DueSlots["before"]> {
  const [from = until] = firesAfter(cadence, after, 1);
  const [at = until] = firesBetween(cadence, after, until, 1).fires;
  return { at, count, span: `from ${isoOf(from)} to ${isoOf(at)}` };
}
