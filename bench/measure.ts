/** How much is measured. `--quick` takes a tenth of the backlogs, and fewer rounds. */
export interface Sizes {
  /** Records that wait for a far time. */
  readonly future: number;
  /** Records in one drain. */
  readonly drain: number;
  /** Records that are in the way: leased by a dead node, or due in a dead lane. */
  readonly crowd: number;
  /** Records of a file store. */
  readonly files: number;
  readonly rounds: number;
}

export function sizes(quick: boolean): Sizes {
  if (quick) return { future: 100_000, drain: 10_000, crowd: 10_000, files: 10_000, rounds: 3 };
  return { future: 1_000_000, drain: 50_000, crowd: 100_000, files: 100_000, rounds: 5 };
}

/** Says on stderr what is measured now, so that a long silence has a name. */
export function progress(text: string): void {
  const seconds = Math.round(performance.now() / 1000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}

/**
 * The sides one after the other in each round, so that a slow minute of the machine meets them all. Each
 * round begins with another one. Answers the median of each.
 */
export async function inTurns<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, (round: number) => Promise<number>>>,
): Promise<Readonly<Record<Side, number>>> {
  const names = Object.keys(sides) as Side[];
  const seen = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await sides[name](round);
      progress(`  ${round + 1} of ${rounds}: ${name} ${Math.round(value).toLocaleString("en")}`);
      seen.get(name)?.push(value);
    }
  }
  const medians = names.map((name) => [name, median(seen.get(name) ?? [])] as const);
  return Object.fromEntries(medians) as Record<Side, number>;
}

export async function perSecond(count: number, run: () => Promise<unknown>): Promise<number> {
  return (count / (await msOf(run))) * 1000;
}

export async function msOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}
