import { constants } from "node:fs";
import { lstat, mkdir, open, opendir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ArchivePart } from "../../features/workspaces/index.ts";
import { throwIfStopped, type Bytes } from "../../platform/byte-stream.ts";
import { errnoOf } from "../../platform/disk-fault.ts";

const pieceBytes = 256 * 1024;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** Writes and syncs a part file, and renames it to its name. */
export async function writeAtomically(part: string, path: string, bytes: Bytes): Promise<void> {
  try {
    const file = await open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await rename(part, path);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      await makeFolders(dirname(path)); // a concurrent removal took the empty folder away
      await rename(part, path);
    }
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true }); // frees a full disk
    throw error;
  }
}

/** Makes the folder and those above it, and syncs each. */
export async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

async function syncFolder(path: string): Promise<void> {
  const file = await open(path, O_RDONLY);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the part files of killed processes. */
export async function sweep(parts: string, before: number): Promise<void> {
  for (const name of await readdir(parts)) {
    const path = join(parts, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats !== undefined && stats.mtimeMs < before) await rm(path, { force: true });
  }
}

/** The part files, under the name of their folder. */
export async function partsIn(parts: string): Promise<readonly ArchivePart[]> {
  const found: ArchivePart[] = [];
  for (const { name } of await entriesIn(parts)) {
    const stats = await lstat(join(parts, name)).catch(goneIsNone);
    if (stats?.isFile() !== true) continue;
    found.push({ name: `${basename(parts)}/${name}`, size: stats.size, writtenAt: stats.mtimeMs });
  }
  return found;
}

export async function* contentOf(
  path: string,
  fault: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW).catch((error: unknown) => {
    throw fault(error);
  });
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } catch (error) {
    throw fault(error);
  } finally {
    await file.close();
  }
}

export async function* filesIn(
  folder: string,
  above: string,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<{ key: string; size: number }> {
  for (const each of await entriesIn(join(folder, above))) {
    throwIfStopped(signal);
    const key = `${above}${each.name}`;
    if (each.name.startsWith(".")) continue;
    if (each.isDirectory()) {
      const below = `${key}/`;
      if (below.startsWith(prefix) || prefix.startsWith(below))
        yield* filesIn(folder, below, prefix, signal);
    } else if (each.isFile() && key.startsWith(prefix)) {
      const stats = await lstat(join(folder, key)).catch(goneIsNone);
      if (stats !== undefined) yield { key, size: stats.size };
    }
  }
}

/** A folder that goes away meanwhile was empty. */
async function entriesIn(path: string) {
  const found = await opendir(path).catch(goneIsNone);
  return found === undefined ? [] : Array.fromAsync(found);
}

function goneIsNone(error: unknown): undefined {
  if (isNone(error)) return undefined;
  throw error;
}

/** Removes empty folders, up to the archives' own. */
export async function removeEmpty(path: string, folder: string): Promise<void> {
  for (let empty = path; empty !== folder && empty.startsWith(folder); empty = dirname(empty)) {
    try {
      await rmdir(empty);
    } catch {
      return; // it is not empty
    }
  }
}

export function isNone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errnoOf(error));
}
