import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Volumes } from "../../features/workspaces/machines.ts";
import { stoppable, throwIfStopped } from "../../platform/byte-stream.ts";
import { errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Spawn } from "../../platform/process.ts";
import { packFolder } from "../../platform/tar/pack.ts";
import { unpackInto } from "../../platform/tar/unpack.ts";
import {
  scratchPaths,
  scratchPrefix,
  isThere,
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

/** Folders as volumes. Each is made beside and renamed into its place, and taken away the other way round. */
export function localVolumes({ folder, spawn }: VolumeOptions): Volumes {
  return {
    async provision({ id, owner }, signal) {
      const place = localPaths(folder, id);
      throwIfStopped(signal);
      if ((await ourVolume(place)) !== null) return;
      const made = await build(folder, { id, owner, marker: null });
      // When another was first, there is one.
      if (!(await moveIn(made, place))) await removeTree(made.root);
    },
    async read(id, signal) {
      const place = localPaths(folder, id);
      throwIfStopped(signal);
      if ((await ourVolume(place)) === null) throw noVolume(place);
      await mustBeFree(place);
      return stoppable(packFolder(place.home), signal);
    },
    async restore({ id, owner, marker }, tar, signal) {
      const place = localPaths(folder, id);
      throwIfStopped(signal);
      await discard(folder, place);
      const made = await build(folder, { id, owner, marker });
      try {
        await unpackInto(made.home, tar, { signal });
        await syncAll(made.home, spawn);
        throwIfStopped(signal);
        if (!(await moveIn(made, place))) throw inUse(place, "somebody else restored it meanwhile");
      } catch (error) {
        await removeTree(made.root);
        throw error;
      }
    },
    async remove(id, signal) {
      const place = localPaths(folder, id);
      throwIfStopped(signal);
      await discard(folder, place);
    },
  };
}

/** Null: there is none. Throws when something of somebody else has its name. */
export async function ourVolume(place: LocalPaths): Promise<VolumeFile | null> {
  const volume = await readVolume(place);
  if (volume !== "foreign") return volume;
  const sentence = `${place.root} is there and was not made by Daybook: move it away, then try again.`;
  throw new DaybookError("refused", sentence, { details: { fault: "ActionFailed" } });
}

export function noVolume({ id }: LocalPaths): DaybookError {
  return new DaybookError(
    "not_found",
    `There is no volume of the workspace ${id}: provision it first.`,
  );
}

async function build(folder: string, volume: VolumeFile): Promise<LocalPaths> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = scratchPaths(folder, volume.id);
  await mkdir(made.root, { mode: 0o700 });
  await writeSynced(made.volumeFile, volume);
  await mkdir(made.home, { mode: 0o700 });
  await syncFolder(made.root);
  return made;
}

/** False: there is one. */
async function moveIn(made: LocalPaths, place: LocalPaths): Promise<boolean> {
  try {
    await rename(made.root, place.root);
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes(errnoOf(error))) return false;
    throw error;
  }
  await syncFolder(dirname(place.root));
  return true;
}

/** What was there, and what others left that were stopped in the middle: who still fills it fails, and fills nothing. */
async function discard(folder: string, place: LocalPaths): Promise<void> {
  if ((await ourVolume(place)) !== null) {
    await mustBeFree(place);
    const taken = scratchPaths(folder, place.id);
    if (await moved(place, taken)) await mustStillBeFree(taken, place);
  }
  if (!(await isThere(folder))) return;
  const left = (await readdir(folder)).filter((name) => name.startsWith(scratchPrefix(place.id)));
  for (const name of left) await removeTree(join(folder, name));
  await syncFolder(folder);
}

async function moved(place: LocalPaths, taken: LocalPaths): Promise<boolean> {
  try {
    await rename(place.root, taken.root);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** A machine that was started between the look and the move has its volume back. */
async function mustStillBeFree(taken: LocalPaths, place: LocalPaths): Promise<void> {
  if (!(await isThere(taken.machineFile))) return;
  await rename(taken.root, place.root);
  await mustBeFree(place);
}

async function mustBeFree(place: LocalPaths): Promise<void> {
  if (await isThere(place.machineFile)) throw inUse(place, "its machine has it");
}

function inUse({ id }: LocalPaths, why: string): DaybookError {
  return new DaybookError("busy", `The volume of ${id} is in use (${why}): stop it first.`);
}

/** What was unpacked is on the disk before it counts. One call for all of it: thousands of files would each wait. */
async function syncAll(path: string, spawn: Spawn): Promise<void> {
  const { signal } = new AbortController();
  const run = { file: "sync", env: { PATH: "/usr/bin:/bin" }, input: "", bytesMax: 1_000, signal };
  const end = await spawn({ ...run, args: ["-f", path] });
  if (!end.started || end.status !== 0) await spawn({ ...run, args: [] });
}

/** Also what its owner locked. */
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
