/** A time as other programs read it, such as `2026-11-16T09:00:00Z`. */
export function isoOf(at: number): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString();
}

export function isoOr(at: number | null | undefined): string | null {
  return at == null ? null : isoOf(at);
}

export function fromIso(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}
