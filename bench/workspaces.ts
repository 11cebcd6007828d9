import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import { progress, type Sizes } from "./measure.ts";
import { bound, none, type Figure } from "./report.ts";
import { benchDocker } from "./workspaces-docker.ts";
import { partsIn, type Look } from "./workspaces-local.ts";
import { askFor, untilAll } from "./workspaces-node.ts";

const places: Readonly<Record<string, (sizes: Sizes) => Promise<readonly Figure[]>>> = {
  local: benchLocal,
  docker: benchDocker,
};

export const workspacePlaces = Object.keys(places);

/** Workspaces held in the state that is asked for, in the places that are named. */
export async function benchWorkspaces(
  sizes: Sizes,
  names: readonly string[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of names.length === 0 ? workspacePlaces : names) {
    progress(`— ${name} —`);
    const measured = (await places[name]?.(sizes)) ?? [];
    figures.push(...measured.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
  }
  return figures;
}

/** How many, and how long one look at all of them may take. */
const rounds = [
  { count: 1_000, msMax: 5_000 },
  { count: 10_000, msMax: 60_000 },
] as const;
const rssMbMax = 300;

async function benchLocal({ files }: Sizes): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { count, msMax } of rounds) {
    if (count > files / 10) continue; // --quick
    const { ms, writes, rssMb } = await resync(count);
    figures.push(
      bound(`one look at ${count.toLocaleString("en")} workspaces`, ms, msMax),
      none("changes outside while all is as it should be", writes),
      {
        name: `memory at ${count.toLocaleString("en")}`,
        value: rssMb,
        unit: "MB",
        goal: `≤ ${rssMbMax} MB`,
        ok: rssMb <= rssMbMax,
      },
    );
  }
  return figures;
}

async function resync(count: number): Promise<Look> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const parts = partsIn(folder);
  try {
    progress(`${count} workspaces with a volume each`);
    const ledger = await sqlite({ path: parts.path });
    const { location } = parts.machines;
    await askFor(ledger, { place: location, count, desired: "STANDBY", imageRef: "local" });
    await untilAll({ ...parts, ledger }, count);
    await ledger.close();
    allDue(parts.path);
    progress(
      "all are as they should be; now one look at each, by a node that has done nothing else",
    );
    const args = [join(import.meta.dirname, "workspaces-look.ts"), folder, `${count}`];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Look;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As after a minute in which nobody looked. */
function allDue(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("update due set wake_at = 0, ready_at = 0");
  database.close();
}
