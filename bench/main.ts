import { benchDaemon } from "./daemon.ts";
import { benchLedger, storeNames } from "./ledger.ts";
import { sizes, type Sizes } from "./measure.ts";
import { benchNags } from "./nags.ts";
import { benchPipeline, pipelineStores } from "./pipeline.ts";
import { json, table, type Figure } from "./report.ts";
import { benchSchedules } from "./schedules.ts";
import { benchWorkspaces, workspacePlaces } from "./workspaces.ts";

type Bench = (sizes: Sizes, names: readonly string[]) => Promise<readonly Figure[]>;

/** `npm run bench -- ledger [sqlite|postgres|file] [--json] [--quick]`, or `daemon`, `schedules`, `nags`, `pipeline [sqlite|file]`, `workspaces [local|docker]`. */
const benches: Readonly<Record<string, Bench>> = {
  ledger: benchLedger,
  daemon: benchDaemon,
  schedules: benchSchedules,
  nags: benchNags,
  pipeline: benchPipeline,
  workspaces: benchWorkspaces,
};

/** Of which one may be named. */
const storesOf: Readonly<Record<string, readonly string[]>> = {
  ledger: storeNames,
  pipeline: pipelineStores,
  workspaces: workspacePlaces,
};

const words = process.argv.slice(2);
const [name = "", ...names] = words.filter((word) => !word.startsWith("--"));
const flags = words.filter((word) => word.startsWith("--"));
const bench = benches[name];
const unknown = [
  ...names.filter((store) => !(storesOf[name] ?? []).includes(store)),
  ...flags.filter((flag) => !["--json", "--quick"].includes(flag)),
];
if (bench === undefined || unknown.length > 0) {
  console.error(
    `Write: npm run bench -- ledger [${storeNames.join("|")}] [--json] [--quick], or daemon, schedules, nags, pipeline [${pipelineStores.join("|")}], workspaces [${workspacePlaces.join("|")}].`,
  );
  process.exitCode = 2;
} else {
  const figures = await bench(sizes(flags.includes("--quick")), names);
  console.log(flags.includes("--json") ? json(figures) : table(figures));
  if (figures.some(({ ok }) => !ok)) process.exitCode = 1;
}
