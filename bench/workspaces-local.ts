import { join } from "node:path";
import { directory } from "../src/adapters/archives/directory.ts";
import { local } from "../src/adapters/machines/local.ts";
import type { Archives } from "../src/features/workspaces/archives.ts";
import type { Machines } from "../src/features/workspaces/machines.ts";
import { childProcess } from "../src/platform/child-process.ts";
import { systemClock } from "../src/platform/clock.ts";

/** What one look at all of them came to. */
export interface Look {
  readonly ms: number;
  /** Changes outside. */
  readonly writes: number;
  readonly rssMb: number;
}

/** Where a book, its workspaces and their archives are. */
export function partsIn(folder: string): { path: string; machines: Machines; archives: Archives } {
  const clock = systemClock();
  const spawn = childProcess({ clock });
  return {
    path: join(folder, "book.db"),
    machines: local({ folder: join(folder, "ws"), node: "bench", clock, spawn }),
    archives: directory({ folder: join(folder, "archives"), clock }),
  };
}
