/** A time as other programs read it, such as `2026-11-16T09:00:00Z`. */
export function isoOf(at: number): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString();
}
