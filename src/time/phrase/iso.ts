import { refusal, unreadable } from "./reader.ts";

/** A date, a time, perhaps an offset, perhaps a zone in brackets. Anchored and bounded: it cannot run long. */
const shape =
  /^((?:[+-]\d\d)?\d{4}-?\d\d-?\d\d)[t ]((?:[01]\d|2[0-3])(?::?\d\d(?::?[0-5]\d(?:[.,]\d{1,9})?)?)?) ?(z|[+-]\d\d(?::?\d\d)?)?((?:\[[^[\]]{1,60}\]){0,4})$/i;

/**
 * A moment written as in ISO 8601 or RFC 9557, in the zone if it names none; undefined if it is
 * written in another way.
 */
export function readExact(typed: string, zone: string): Temporal.Instant | undefined {
  try {
    return readIso(typed, zone);
  } catch (cause) {
    if (typed.includes("[")) throw unreadable(typed, cause); // the zone may be wrong
    throw refusal(typed, "has a day, time or offset that no calendar has: correct it", cause);
  }
}

/** Throws a RangeError for a time that no calendar has. */
function readIso(typed: string, zone: string): Temporal.Instant | undefined {
  const [, date, time, offset = "", brackets = ""] = shape.exec(typed) ?? [];
  if (date === undefined) return undefined;
  const local = `${date}T${time}`;
  // Only ZonedDateTime reads a zone; it refuses an offset that the zone does not have then.
  if (brackets !== "") {
    return Temporal.ZonedDateTime.from(`${local}${offset}${brackets}`).toInstant();
  }
  if (offset !== "") return Temporal.Instant.from(`${local}${offset}`);
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant();
}
