import type { TarEntry } from "../../platform/tar/entry.ts";
import { readTar } from "../../platform/tar/read.ts";
import { writeTar } from "../../platform/tar/write.ts";
import { homePath } from "./docker-names.ts";

/**
 * A volume's tar as one of its machine's whole disk. Filled from the root the engine keeps every symlink; filled from the
 * volume, it refuses those that lead out of it. A tar that is cut off throws here.
 */
export function underHome(tar: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return writeTar(moved(readTar(tar)));
}

async function* moved(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
  for await (const entry of entries) {
    const target = entry.kind === "link" ? below(entry.target) : entry.target;
    yield { ...entry, path: below(entry.path), target };
  }
}

function below(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return [homePath.slice(1), ...parts].join("/");
}
