import { benchDaemon } from "./daemon.ts";
import { benchFile } from "./file.ts";
import { benchLedger } from "./ledger.ts";
import { table, type Figure } from "./report.ts";

/** `npm run bench -- <name> [--json] [--quick]` */
const benches: Readonly<Record<string, (quick: boolean) => Promise<readonly Figure[]>>> = {
  ledger: benchLedger,
  file: benchFile,
  daemon: benchDaemon,
};

const [name = "", ...flags] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  console.error(`Name a bench: ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 2;
} else {
  const figures = await bench(flags.includes("--quick"));
  const json = JSON.stringify(
    Object.fromEntries(figures.map(({ name, ...figure }) => [name, figure])),
  );
  console.log(flags.includes("--json") ? json : table(figures));
  if (figures.some(({ ok }) => !ok)) process.exitCode = 1;
}
