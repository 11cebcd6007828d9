import { inZone } from "../../../time/zone.ts";

/** A change of a zone's offset. */
export interface Observance {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Offsets from UTC in seconds. */
  readonly before: number;
  readonly after: number;
  /** The local time at which it begins, as clocks show it just before. */
  readonly local: Temporal.PlainDateTime;
}

/** Until when the changes after `from` must be known: a rule that is read from fewer years could be true by chance. */
export function horizonOf(zone: string, from: number, to: number): number {
  return Math.max(to, inZone(from, zone).add({ years: 10 }).epochMilliseconds);
}

/** The changes from the last before `from` until `end`. */
export function observancesOf(zone: string, from: number, end: number): readonly Observance[] {
  const start = inZone(from, zone);
  const found: Observance[] = [];
  let next = start.add({ milliseconds: 1 }).getTimeZoneTransition("previous") ?? start;
  while (next.epochMilliseconds <= end) {
    const change = changeAt(next);
    if (change.before !== change.after) found.push(change);
    const following = next.getTimeZoneTransition("next");
    if (following === null) break;
    next = following;
  }
  return found;
}

function changeAt(time: Temporal.ZonedDateTime): Observance {
  const before = offsetOf(time.subtract({ milliseconds: 1 }));
  const local = time.toInstant().toZonedDateTimeISO("UTC").add({ seconds: before });
  return {
    at: time.epochMilliseconds,
    before,
    after: offsetOf(time),
    local: local.toPlainDateTime(),
  };
}

/** In seconds. */
export function offsetOf(time: Temporal.ZonedDateTime): number {
  return Math.round(time.offsetNanoseconds / 1e9);
}
