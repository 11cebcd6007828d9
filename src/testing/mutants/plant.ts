import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { type Change, type Mutant, mutants } from "./table.ts";

/** Loaded before the simulator (`--import`): plants the mutant that the environment names. */
const named = mutants.find(({ name }) => name === process.env["DAYBOOK_MUTANT"]);
if (named !== undefined) plant(named);

function plant(mutant: Mutant): void {
  const changes = [mutant, ...(mutant.also === undefined ? [] : [mutant.also])];
  const urlOf = ({ file }: Change): string => new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(loaded, context, next) {
      const mine = changes.filter((change) => urlOf(change) === loaded);
      if (mine.length === 0) return next(loaded, context);
      let source = readFileSync(fileURLToPath(loaded), "utf8");
      for (const { find, replace } of mine) source = source.replace(find, () => replace);
      return { format: "module-typescript", shortCircuit: true, source };
    },
  });
}
