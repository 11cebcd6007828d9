/** A date, a time, perhaps an offset, perhaps a zone in brackets. Anchored and bounded: it cannot run long. */
const shape =
  /^((?:[+-]\d\d)?\d{4}-?\d\d-?\d\d)[t ]((?:[01]\d|2[0-3])(?::?\d\d(?::?[0-5]\d(?:[.,]\d{1,9})?)?)?) ?(z|[+-]\d\d(?::?\d\d)?)?((?:\[[^[\]]{1,60}\]){0,4})$/i;

/**
 * A moment written as in ISO 8601 or RFC 9557, in the zone if it names none; undefined if it is
 * written in another way. Throws a RangeError for a moment that no calendar has.
 */
export function readIso(typed: string, zone: string): Temporal.Instant | undefined {
  const [, date, time, offset = "", brackets = ""] = shape.exec(typed) ?? [];
  if (date === undefined) return undefined;
  const local = `${date}T${time}`;
  // Only the first hears a zone; it refuses an offset that the zone does not have then.
  if (brackets !== "") {
    return Temporal.ZonedDateTime.from(`${local}${offset}${brackets}`).toInstant();
  }
  if (offset !== "") return Temporal.Instant.from(`${local}${offset}`);
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant();
}
