/** A component of iCalendar as jCal (RFC 7265) writes it: name, properties, components. */
export type JComponent = [string, JProperty[], JComponent[]];
/** Name, parameters, type and value. */
export type JProperty = [string, Readonly<Record<string, string>>, string, unknown];

export function text(name: string, value: string): JProperty {
  return [name, {}, "text", value];
}

/** A text under a name that readers know without its type. */
export function plainText(name: string, value: string): JProperty {
  const escaped = value.replaceAll(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
  return [name, {}, "unknown", escaped];
}

/** A UTC time, to the second. */
export function utc(name: string, at: number): JProperty {
  return [name, {}, "date-time", secondOf(at).toString({ smallestUnit: "second" })];
}

/** Times of iCalendar have no parts of a second. */
export function wholeSecond(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

function secondOf(at: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(wholeSecond(at));
}
