/** How long after the given notification (1, 2, 3 …) the next one is sent. */
export function waitMs(minutes: readonly number[], count: number): number {
  return (minutes[Math.min(count, minutes.length) - 1] ?? 60) * 60_000;
}
