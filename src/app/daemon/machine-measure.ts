import type { StatsFs } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Load } from "../../features/events/index.ts";
import { machineLoad } from "../../platform/machine-load.ts";
import type { PlatformPorts } from "../../platform/ports.ts";

/** Measures the load of this machine, with the disk that holds a folder. */
export function machineMeasure(
  folder: string,
  { clock }: Pick<PlatformPorts, "clock">,
): () => Promise<Load> {
  return machineLoad({
    mono: () => clock.mono(),
    disk: () => diskOf(folder),
    read: (path) => readFile(path, "utf8"),
  });
}

/** The disk of a folder, or of its first existing parent. */
async function diskOf(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return diskOf(above);
  }
}
