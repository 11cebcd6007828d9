import type { StatsFs } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { machineLoad } from "../../platform/machine-load.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/resolve.ts";
import type { WhenHere } from "../handling.ts";
import { sourcesFrom } from "./sources-from.ts";

/** What this daemon does for events, under the settings of the moment. */
export function whenFrom({
  config,
  current,
  platform,
}: {
  config: Config;
  current(): Config;
  platform: PlatformPorts;
}): WhenHere {
  const measure = machineLoad({
    mono: () => platform.clock.mono(),
    disk: () => diskOf(config.home),
    read: (path) => readFile(path, "utf8"),
  });
  return {
    settings: () => current().when,
    health: { limits: () => current().when.health, measure },
    sources: sourcesFrom(() => current().when.sources, platform),
    owners: () => current().when.hooks.map(({ owner }) => owner),
  };
}

/** The disk of a folder, or of where it will be made. */
async function diskOf(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return diskOf(above);
  }
}
