import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../src/features/index.ts";
import type { CommandEntry } from "../src/interfaces/cli/command.ts";
import { ownCommands } from "../src/interfaces/cli/commands.ts";
import { pack, type PackedEntry } from "../src/interfaces/cli/manifest.ts";
import { entryOf } from "../src/interfaces/cli/operation-entry.ts";

export const manifestFile = join(import.meta.dirname, "..", "src/interfaces/cli/manifest.json");

/** Every command: those of the operations first, then those about this machine. */
export async function packedManifest(): Promise<readonly PackedEntry[]> {
  const own = (await ownCommands()).map(({ name, summary, inputs, hasJson }): CommandEntry => ({
    name,
    summary,
    inputs,
    hasJson,
  }));
  return pack([...table.map(entryOf), ...own]);
}

if (import.meta.main) {
  writeFileSync(manifestFile, `${JSON.stringify(await packedManifest(), null, 2)}\n`);
}
