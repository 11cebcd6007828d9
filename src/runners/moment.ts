/** A time as other programs read it. */
export function momentOf(at: number): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString();
}
