import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ids } from "../platform/ids.ts";
import type { PlatformPorts } from "../platform/ports.ts";

/** The unique name of a folder as a location of machines. It moves with the folder. */
export function locationIn(
  folder: string,
  platform: Pick<PlatformPorts, "clock" | "random">,
): string {
  const file = join(folder, ".place");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = ids(platform.clock, platform.random)();
  try {
    writeFileSync(file, name, { flag: "wx", mode: 0o600 });
    return name;
  } catch {
    return readFileSync(file, "utf8").trim(); // another process was faster
  }
}
