import { inZone } from "../zone.ts";
import { countTimes, nextTime, type Wall } from "./wall.ts";

/** A time between two changes of a zone's clocks. In seconds: moments since 1970 in UTC, and what to add. */
interface Stretch {
  readonly begins: number;
  readonly ends: number;
  readonly offset: number;
  /** The offset right before it. */
  readonly offsetBefore: number;
  readonly next: Temporal.ZonedDateTime | null;
}

/** Longer than any change of any clock: what the clocks did before that no longer matters. */
const settled = 2 * 86_400;

/**
 * The moments of a rule at or after one, in order. The clocks on the wall are changed like this:
 * what they leap over happens in the first moment after the leap, once; what they show twice happens
 * the first time. A rule for every hour follows what they show instead, so it stays as even as they are.
 */
export function momentsFrom(wall: Wall, zone: string, from: number, limit: number): number[] {
  const found: number[] = [];
  let stretch: Stretch | undefined = stretchAround(zone, from);
  while (stretch !== undefined && found.length < limit) {
    const { begins, ends, offset }: Stretch = stretch;
    const { leapt, first } = opening(wall, stretch);
    if (leapt && begins >= from) found.push(begins);
    let next: number | undefined = nextTime(wall, Math.max(first, from + offset));
    while (next !== undefined && next < ends + offset && found.length < limit) {
      found.push(next - offset);
      next = nextTime(wall, next + 1);
    }
    if (next === undefined) return found.slice(0, limit);
    const isFar: boolean =
      ends - Math.max(begins, from) > settled && next - offset - ends > 2 * settled;
    stretch = isFar ? stretchAround(zone, next - offset) : following(stretch);
  }
  return found.slice(0, limit);
}

/** How many moments a rule has from one, to before another. */
export function countMoments(wall: Wall, zone: string, from: number, to: number): number {
  let count = 0;
  let stretch: Stretch | undefined = stretchAround(zone, from);
  while (stretch !== undefined && stretch.begins < to) {
    const { begins, ends, offset } = stretch;
    const { leapt, first } = opening(wall, stretch);
    if (leapt && begins >= from) count += 1;
    count += countTimes(wall, Math.max(first, from + offset), Math.min(ends, to) + offset);
    stretch = following(stretch);
  }
  return count;
}

/** Where on the wall a stretch begins for a rule, and whether it makes up for what was leapt over. */
function opening(
  wall: Wall,
  { begins, offset, offsetBefore }: Stretch,
): { leapt: boolean; first: number } {
  const [expected, shown] = [begins + offsetBefore, begins + offset];
  if (wall.isHourly || expected === shown) return { leapt: false, first: shown };
  if (expected > shown) return { leapt: false, first: expected };
  const leapt = countTimes(wall, expected, shown) > 0;
  return { leapt, first: leapt ? shown + 1 : shown };
}

function stretchAround(zone: string, moment: number): Stretch {
  const here = inZone((moment - settled) * 1_000, zone);
  return stretchFrom(here, offsetOf(here));
}

function following({ next, offset }: Stretch): Stretch | undefined {
  return next === null ? undefined : stretchFrom(next, offset);
}

function stretchFrom(here: Temporal.ZonedDateTime, offsetBefore: number): Stretch {
  const next = here.getTimeZoneTransition("next");
  return {
    begins: here.epochMilliseconds / 1_000,
    ends: next === null ? Infinity : next.epochMilliseconds / 1_000,
    offset: offsetOf(here),
    offsetBefore,
    next,
  };
}

/** What its clocks show besides UTC, in seconds. */
export function offsetOf(here: Temporal.ZonedDateTime): number {
  return here.offsetNanoseconds / 1_000_000_000;
}
