import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { directory } from "../src/archives/directory.ts";
import { childProcess } from "../src/base/child-process.ts";
import { systemClock } from "../src/base/clock.ts";
import { sqlite } from "../src/ledger/sqlite/sqlite.ts";
import { local } from "../src/machines/local.ts";
import type { Machines } from "../src/machines/machines.ts";
import { msOf, progress, type Sizes } from "./measure.ts";
import { bound, none, type Figure } from "./report.ts";
import { benchDocker } from "./workspaces-docker.ts";
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

async function resync(count: number): Promise<{ ms: number; writes: number; rssMb: number }> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const path = join(folder, "book.db");
  const clock = systemClock();
  const spawn = childProcess({ clock });
  const counted = counting(local({ folder: join(folder, "ws"), node: "bench", clock, spawn }));
  const parts = {
    machines: counted.machines,
    archives: directory({ folder: join(folder, "archives"), clock }),
  };
  const { place } = counted.machines;
  try {
    progress(`${count} workspaces with a volume each`);
    const first = await sqlite({ path });
    await askFor(first, { place, count, desired: "STANDBY", imageRef: "local" });
    await untilAll({ ...parts, ledger: first }, count);
    await first.close();
    allDue(path);
    progress("all are as they should be; now one look at each");
    const before = counted.writes();
    const again = await sqlite({ path });
    const ms = await msOf(() => untilAll({ ...parts, ledger: again }, count));
    await again.close();
    const rssMb = Math.round(process.memoryUsage().rss / 1_048_576);
    return { ms, writes: counted.writes() - before, rssMb };
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

/** Counts what changes something outside. */
function counting(machines: Machines): { machines: Machines; writes(): number } {
  let writes = 0;
  const { volumes } = machines;
  const counted = <Given extends readonly unknown[], Answer>(
    call: (...given: Given) => Promise<Answer>,
  ) => {
    return (...given: Given): Promise<Answer> => {
      writes += 1;
      return call(...given);
    };
  };
  return {
    machines: {
      ...machines,
      start: counted(machines.start),
      remove: counted(machines.remove),
      volumes: {
        ...volumes,
        provision: counted(volumes.provision),
        restore: counted(volumes.restore),
        remove: counted(volumes.remove),
      },
    },
    writes: () => writes,
  };
}
