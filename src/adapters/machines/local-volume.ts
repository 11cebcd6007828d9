import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Volumes } from "../../features/workspaces/index.ts";
import { stoppable, throwIfStopped } from "../../platform/byte-stream.ts";
import { errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Spawn } from "../../platform/process.ts";
import { packFolder } from "../../platform/tar/pack.ts";
import { unpackInto } from "../../platform/tar/unpack.ts";
import {
  scratchPaths,
  scratchPrefix,
  exists,
  localPaths,
  readVolume,
  syncFolder,
  writeSynced,
  type LocalPaths,
  type VolumeFile,
} from "./local-paths.ts";

interface VolumeOptions {
  readonly folder: string;
  readonly spawn: Spawn;
}

/** Folders as volumes. Each is created under a scratch name and then renamed; a removal does the reverse. */
export function localVolumes({ folder, spawn }: VolumeOptions): Volumes {
  return {
    async provision({ id, owner }, signal) {
      const paths = localPaths(folder, id);
      throwIfStopped(signal);
      if ((await ourVolume(paths)) !== null) return;
      const created = await build(folder, { id, owner, marker: null });
      // Another node was first, so it exists.
      if (!(await publish(created, paths))) await removeTree(created.root);
    },
    async read(id, signal) {
      const paths = localPaths(folder, id);
      throwIfStopped(signal);
      if ((await ourVolume(paths)) === null) throw noVolume(paths);
      await mustBeFree(paths);
      return stoppable(packFolder(paths.home), signal);
    },
    async restore({ id, owner, marker }, tar, signal) {
      const paths = localPaths(folder, id);
      throwIfStopped(signal);
      await discard(folder, paths);
      const created = await build(folder, { id, owner, marker });
      try {
        await unpackInto(created.home, tar, { signal });
        await syncAll(created.home, spawn);
        throwIfStopped(signal);
        if (!(await publish(created, paths)))
          throw inUse(paths, "another node restored it meanwhile");
      } catch (error) {
        await removeTree(created.root);
        throw error;
      }
    },
    async remove(id, signal) {
      const paths = localPaths(folder, id);
      throwIfStopped(signal);
      await discard(folder, paths);
    },
  };
}

/** Null: missing. Throws when a foreign folder has its name. */
export async function ourVolume(paths: LocalPaths): Promise<VolumeFile | null> {
  const volume = await readVolume(paths);
  if (volume !== "foreign") return volume;
  const sentence = `${paths.root} exists and was not created by Daybook: move it away, then try again.`;
  throw new DaybookError("refused", sentence, { details: { fault: "ActionFailed" } });
}

export function noVolume({ id }: LocalPaths): DaybookError {
  return new DaybookError("not_found", `The workspace ${id} has no volume: provision it first.`);
}

async function build(folder: string, volume: VolumeFile): Promise<LocalPaths> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const created = scratchPaths(folder, volume.id);
  await mkdir(created.root, { mode: 0o700 });
  await writeSynced(created.volumeFile, volume);
  await mkdir(created.home, { mode: 0o700 });
  await syncFolder(created.root);
  return created;
}

/** False: it exists already. */
async function publish(created: LocalPaths, paths: LocalPaths): Promise<boolean> {
  try {
    await rename(created.root, paths.root);
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes(errnoOf(error))) return false;
    throw error;
  }
  await syncFolder(dirname(paths.root));
  return true;
}

/** Removes the volume, and scratch folders of interrupted calls: a call that still fills one fails. */
async function discard(folder: string, paths: LocalPaths): Promise<void> {
  if ((await ourVolume(paths)) !== null) {
    await mustBeFree(paths);
    const taken = scratchPaths(folder, paths.id);
    if (await moveAside(paths, taken)) await mustStillBeFree(taken, paths);
  }
  if (!(await exists(folder))) return;
  const left = (await readdir(folder)).filter((name) => name.startsWith(scratchPrefix(paths.id)));
  for (const name of left) await removeTree(join(folder, name));
  await syncFolder(folder);
}

async function moveAside(paths: LocalPaths, taken: LocalPaths): Promise<boolean> {
  try {
    await rename(paths.root, taken.root);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** A machine that was started between the check and the move gets its volume back. */
async function mustStillBeFree(taken: LocalPaths, paths: LocalPaths): Promise<void> {
  if (!(await exists(taken.machineFile))) return;
  await rename(taken.root, paths.root);
  await mustBeFree(paths);
}

async function mustBeFree(paths: LocalPaths): Promise<void> {
  if (await exists(paths.machineFile)) throw inUse(paths, "its machine uses it");
}

function inUse({ id }: LocalPaths, reason: string): DaybookError {
  return new DaybookError("busy", `The volume of ${id} is in use (${reason}): stop it first.`);
}

/** Syncs the unpacked files before the volume is published. In one call: thousands of files would each wait. */
async function syncAll(path: string, spawn: Spawn): Promise<void> {
  const { signal } = new AbortController();
  const run = { file: "sync", env: { PATH: "/usr/bin:/bin" }, input: "", bytesMax: 1_000, signal };
  const end = await spawn({ ...run, args: ["-f", path] });
  if (!end.started || end.status !== 0) await spawn({ ...run, args: [] });
}

/** Also files without write permission. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!["EACCES", "EPERM", "ENOTEMPTY"].includes(errnoOf(error))) throw error;
    await unlock(Buffer.from(path));
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function unlock(path: Buffer): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || !stats.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path, { encoding: "buffer" })) {
    await unlock(Buffer.concat([path, Buffer.from("/"), name]));
  }
}
