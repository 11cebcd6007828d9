import { DaybookError } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";

/** Temporal also takes a zone out of a date or a time, such as 2026-11-16T00:00Z: that is refused. */
const shape = /^(?:(?!T\d)[A-Z][\w+/-]*|[+-]\d\d(?::?\d\d)?)$/i;

export function isZone(zone: string): boolean {
  try {
    checkZone(zone);
    return true;
  } catch {
    return false;
  }
}

/** Answers the zone by its canonical name. */
export function checkZone(zone: string): string {
  if (!shape.test(zone)) throw noZone(zone);
  return inZone(0, zone).timeZoneId;
}

/** The local date and time in a zone. */
export function inZone(at: number, zone: string): Temporal.ZonedDateTime {
  try {
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  } catch (cause) {
    throw noZone(zone, cause);
  }
}

/** The local date in a zone, such as `2026-11-16`. */
export function dayOf(at: number, zone: string): string {
  return inZone(at, zone).toPlainDate().toString();
}

function noZone(zone: string, cause?: unknown): DaybookError {
  const sentence = `${quote(zone)} is not a time zone: write it like "Asia/Seoul".`;
  return new DaybookError("invalid", sentence, { cause });
}
