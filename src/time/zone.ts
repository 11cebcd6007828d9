import { DaybookError } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";

/** The calendar also reads the zone out of a date or a time, such as 2026-11-16T00:00Z: that is none. */
const shape = /^(?:(?!T\d)[A-Z][\w+/-]*|[+-]\d\d(?::?\d\d)?)$/i;

export function isZone(zone: string): boolean {
  try {
    checkZone(zone);
    return true;
  } catch {
    return false;
  }
}

/** Answers the zone by its own name. */
export function checkZone(zone: string): string {
  if (!shape.test(zone)) throw noZone(zone);
  return inZone(0, zone).timeZoneId;
}

/** What the clocks there show. */
export function inZone(at: number, zone: string): Temporal.ZonedDateTime {
  try {
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  } catch (cause) {
    throw noZone(zone, cause);
  }
}

/** The day that a moment is on there, such as `2026-11-16`. */
export function dayOf(at: number, zone: string): string {
  return inZone(at, zone).toPlainDate().toString();
}

function noZone(zone: string, cause?: unknown): DaybookError {
  const sentence = `${quote(zone)} is no time zone: write it like "Asia/Seoul".`;
  return new DaybookError("invalid", sentence, { cause });
}
