/** Which rare situations a run has been in. What is never reached is not tested. */
export interface Marks {
  reached(mark: string): void;
  counts(): ReadonlyMap<string, number>;
}

export function marks(): Marks {
  const counts = new Map<string, number>();
  return {
    reached(mark) {
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
    },
    counts: () => counts,
  };
}
