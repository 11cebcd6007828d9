/** A time as ISO 8601 in UTC, such as `2026-11-16T09:00:00Z`. */
export function isoOf(at: number): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString();
}

export function isoOr(at: number | null | undefined): string | null {
  return at == null ? null : isoOf(at);
}

export function fromIso(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}

/** Always with milliseconds, as `Date` writes it. A number that is not a time stays as it is. */
export function isoMsOf(at: number): string {
  const ms = Math.trunc(at);
  if (!(Math.abs(ms) <= msMax)) return String(at);
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: "millisecond" });
}

/** The last time that `Date` can represent. */
const msMax = 8.64e15;
