import { parseArgs } from "node:util";
import { mutants, type Mutant } from "./table.ts";
import { occurrences, tryMutant, type Caught } from "./try.ts";

/** `npm run sim:mutants`: the test of the tests. Each planted bug must be found within 2,000 seeds. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    only: { type: "string", default: "" },
    at: { type: "string", default: "2" },
  },
});

const waiting = mutants.filter(({ name }) => name.includes(values.only));
const tried = waiting.length;
const missed: string[] = [];
await Promise.all(Array.from({ length: Number(values.at) }, () => work()));
console.log(`${missed.length} of ${tried} mutants were not caught.`);
process.exitCode = missed.length > 0 ? 1 : 0;

async function work(): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const count = occurrences(mutant);
    const caught = count === 1 ? await tryMutant(mutant, Number(values.seeds)) : undefined;
    if (caught === undefined) missed.push(mutant.name);
    console.log(line(mutant, count, caught));
  }
}

function line({ name, file }: Mutant, count: number, caught: Caught | undefined): string {
  if (count !== 1)
    return `✖ ${name}: its text occurs ${count} times in src/${file}: mend the table`;
  if (caught === undefined) return `✖ ${name}: not caught`;
  return `✔ ${name}: ${caught.seeds} seeds, by "${caught.invariant}"`;
}
