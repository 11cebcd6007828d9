import { benchFile } from "./file.ts";
import { progress, type Sizes } from "./measure.ts";
import { benchPostgres } from "./postgres.ts";
import type { Figure } from "./report.ts";
import { benchSqlite } from "./sqlite.ts";

type Bench = (sizes: Sizes) => Promise<readonly Figure[]>;

const stores: Readonly<Record<string, Bench>> = {
  sqlite: benchSqlite,
  postgres: benchPostgres,
  file: benchFile,
};

export const storeNames = Object.keys(stores);

/** The stores that are named, or all of them. */
export async function benchLedger(
  sizes: Sizes,
  names: readonly string[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of names.length === 0 ? storeNames : names) {
    progress(`— ${name} —`);
    const measured = (await stores[name]?.(sizes)) ?? [];
    figures.push(...measured.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
  }
  return figures;
}
