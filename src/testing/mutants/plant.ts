import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./table.ts";
import { mutants } from "./table.ts";

/** Loaded before the simulator (`--import`): plants the mutant that the environment names. */
const named = mutants.find(({ name }) => name === process.env["DAYBOOK_MUTANT"]);
if (named !== undefined) plant(named);

function plant({ file, find, replace }: Mutant): void {
  const url = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(loaded, context, next) {
      if (loaded !== url) return next(loaded, context);
      const text = readFileSync(fileURLToPath(url), "utf8");
      return {
        format: "module-typescript",
        shortCircuit: true,
        source: text.replace(find, () => replace),
      };
    },
  });
}
