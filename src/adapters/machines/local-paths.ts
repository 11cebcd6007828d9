import { randomBytes } from "node:crypto";
import { link, lstat, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError } from "../../platform/errors.ts";

/** The paths of one workspace. One rename creates or removes it, so it is never incomplete. */
export interface LocalPaths {
  readonly id: string;
  readonly root: string;
  /** The volume. */
  readonly home: string;
  readonly volumeFile: string;
  readonly machineFile: string;
}

const volumeForm = z.object({ id: z.string(), owner: z.string(), marker: z.string().nullable() });
const machineForm = z.object({
  pid: z.int().positive(),
  startedAt: z.string(),
  /** Of its workspace; machines of earlier versions have none. */
  name: z.string().optional(),
});

export type VolumeFile = z.infer<typeof volumeForm>;
/** A process and its start time: its id alone may have been reused. */
export type MachineFile = z.infer<typeof machineForm>;

const idForm = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

export function isLocalId(id: string): boolean {
  return idForm.test(id);
}

export function localPaths(folder: string, id: string): LocalPaths {
  if (!isLocalId(id)) {
    const sentence = `${JSON.stringify(id.slice(0, 80))} is not a workspace's id: use letters, digits and dashes.`;
    throw new DaybookError("invalid", sentence);
  }
  return pathsAt(id, join(folder, id));
}

/** A workspace that is being created or removed has a name that is not an id. */
export function scratchPaths(folder: string, id: string): LocalPaths {
  return pathsAt(id, join(folder, `${scratchPrefix(id)}${randomBytes(4).toString("hex")}`));
}

export function scratchPrefix(id: string): string {
  return `.${id}.`;
}

function pathsAt(id: string, root: string): LocalPaths {
  return {
    id,
    root,
    home: join(root, "home"),
    volumeFile: join(root, "volume.json"),
    machineFile: join(root, "machine.json"),
  };
}

/** Null: missing. `foreign`: the folder was not created by Daybook. */
export async function readVolume(paths: LocalPaths): Promise<VolumeFile | null | "foreign"> {
  const text = await textOf(paths.volumeFile);
  if (text === null) return (await exists(paths.root)) ? "foreign" : null;
  const volume = parsed(volumeForm, text);
  return volume?.id === paths.id ? volume : "foreign";
}

/** Null: missing. `unreadable`: a crash truncated the file, and ended the machine. */
export async function readMachine(paths: LocalPaths): Promise<MachineFile | null | "unreadable"> {
  const text = await textOf(paths.machineFile);
  return text === null ? null : (parsed(machineForm, text) ?? "unreadable");
}

/** Atomically. False: it exists already. */
export async function writeMachine(paths: LocalPaths, machine: MachineFile): Promise<boolean> {
  const half = `${paths.machineFile}.${randomBytes(4).toString("hex")}`;
  try {
    await writeSynced(half, machine);
    await link(half, paths.machineFile);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(half, { force: true });
  }
}

export async function writeSynced(path: string, content: VolumeFile | MachineFile): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until a folder's names are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

function parsed<T>(form: z.ZodType<T>, text: string): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
