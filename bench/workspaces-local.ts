import { join } from "node:path";
import type { Archives } from "../src/archives/archives.ts";
import { directory } from "../src/archives/directory.ts";
import { childProcess } from "../src/base/child-process.ts";
import { systemClock } from "../src/base/clock.ts";
import { local } from "../src/machines/local.ts";
import type { Machines } from "../src/machines/machines.ts";

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
