/** The epoch milliseconds of a time as ISO 8601 writes it; nothing when it is none. */
export function instantOf(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}
