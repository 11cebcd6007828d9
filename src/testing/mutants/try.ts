import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { simulatorProcess } from "../simulator/simulator-process.ts";
import type { Mutant } from "./table.ts";

export interface Caught {
  readonly seeds: number;
  readonly invariant: string;
}

/** How often the text to replace stands in its file: anything but once is a broken mutant. */
export function occurrences(mutant: Mutant): number {
  const { also } = mutant;
  const counts = [mutant, ...(also === undefined ? [] : [also])].map(({ file, find }) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    return text.split(find).length - 1;
  });
  return counts.find((count) => count !== 1) ?? 1;
}

const load = new URL("./plant.ts", import.meta.url).href;

/** Plants the bug in a process of its own and looks for the first seed that finds it. */
export async function tryMutant(mutant: Mutant, seeds: number): Promise<Caught | undefined> {
  if (mutant.test !== undefined) return tryTest(mutant, mutant.test);
  const [where] = mutant.file.split("/").slice(1);
  const { seeds: took, failures } = await simulatorProcess({
    from: 1,
    count: seeds,
    failuresMax: 1,
    load,
    ...(mutant.world === undefined ? {} : { long: mutant.world }),
    env: { DAYBOOK_MUTANT: mutant.name },
    ...(where === "memory" || where === "sqlite" ? { store: where } : {}),
  });
  const [first] = failures;
  if (first === undefined) return undefined;
  return { seeds: took, invariant: /hold that (.*)\.\n/.exec(first)?.[1] ?? first };
}

/** A test that fails has found it. */
function tryTest(
  { name: DAYBOOK_MUTANT }: Mutant,
  { file, name }: NonNullable<Mutant["test"]>,
): Promise<Caught | undefined> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const args = ["--import", load, `--test-name-pattern=${name}`, path];
  const env = { ...process.env, DAYBOOK_MUTANT };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (error) =>
      resolve(error === null ? undefined : { seeds: 0, invariant: name }),
    );
  });
}
