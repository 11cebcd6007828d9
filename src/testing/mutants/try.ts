import { readFileSync } from "node:fs";
import { simProcess } from "../simulator/sim-process.ts";
import type { Mutant } from "./table.ts";

export interface Caught {
  readonly seeds: number;
  readonly invariant: string;
}

/** How often the text to replace stands in its file: anything but once is a broken mutant. */
export function occurrences({ file, find }: Mutant): number {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  return text.split(find).length - 1;
}

/** Plants the bug in a process of its own and looks for the first seed that finds it. */
export async function tryMutant(mutant: Mutant, seeds: number): Promise<Caught | undefined> {
  const [where] = mutant.file.split("/").slice(1);
  const { seeds: took, failures } = await simProcess({
    from: 1,
    count: seeds,
    failuresMax: 1,
    load: new URL("./plant.ts", import.meta.url).href,
    env: { DAYBOOK_MUTANT: mutant.name },
    ...(where === "memory" || where === "sqlite" ? { store: where } : {}),
  });
  const [first] = failures;
  if (first === undefined) return undefined;
  return { seeds: took, invariant: /hold that (.*)\.\n/.exec(first)?.[1] ?? first };
}
