import { constants } from "node:fs";
import {
  chmod,
  lchown,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  symlink,
  utimes,
} from "node:fs/promises";
import { stoppable, type Bytes } from "../byte-stream.ts";
import { diskFault, errnoOf } from "../disk-fault.ts";
import { pathBytes, refusedTar, shownPath, type TarEntry } from "./entry.ts";
import { readTar } from "./read.ts";

interface Unpacking {
  readonly signal: AbortSignal;
  /** Whether files get the owners of the tar; only root can change owners. */
  readonly keepsOwners?: boolean;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const modeMask = 0o1777;

/**
 * Makes what is in a vetted tar, in a folder that is there and that nobody else writes to. Nothing is ever written through a link or
 * over what is there.
 */
export async function unpackInto(folder: string, tar: Bytes, options: Unpacking): Promise<void> {
  const keepsOwners = options.keepsOwners ?? process.getuid?.() === 0;
  const place: Place = { root: Buffer.from(folder), folders: new Set([""]), keepsOwners };
  // The times of a folder change with all that comes into it, and one that is locked would take nothing.
  const folders: TarEntry[] = [];
  try {
    for await (const entry of readTar(stoppable(tar, options.signal))) {
      if (entry.kind === "folder") folders.push(entry);
      await makers[entry.kind](entry, place);
    }
    for (const entry of folders.toReversed()) {
      const made = at(place, plain(entry.path));
      await finish(made, entry, place);
      await utimes(made, entry.mtimeSeconds, entry.mtimeSeconds);
    }
  } catch (cause) {
    if (errnoOf(cause) === "EEXIST") throw refusedTar("something in it is there twice");
    throw diskFault(cause, `unpacking a tar into ${folder}`);
  }
}

interface Place {
  readonly root: Buffer;
  /** Folders that were checked or created: no other program changes them. */
  readonly folders: Set<string>;
  readonly keepsOwners: boolean;
}

type Make = (entry: TarEntry, place: Place) => Promise<void>;

const makers: Readonly<Record<TarEntry["kind"], Make>> = {
  async folder({ path }, place) {
    await makeFolders(plain(path), place);
  },
  async file(entry, place) {
    const file = await open(
      await spotFor(entry, place),
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      0o600,
    );
    try {
      await file.writeFile(entry.body);
      if (place.keepsOwners) await file.chown(entry.uid, entry.gid);
      await file.chmod(entry.mode & modeMask);
      await file.utimes(entry.mtimeSeconds, entry.mtimeSeconds);
    } finally {
      await file.close();
    }
  },
  async symlink(entry, place) {
    const spot = await spotFor(entry, place);
    await symlink(pathBytes(entry.target), spot);
    if (place.keepsOwners) await lchown(spot, entry.uid, entry.gid);
    await lutimes(spot, entry.mtimeSeconds, entry.mtimeSeconds);
  },
  async link(entry, place) {
    const target = plain(entry.target);
    await makeFolders(above(target), place);
    const first = await lstat(at(place, target));
    if (!first.isFile()) throw refusedTar(`${shownPath(entry.path)} is a hard link to no file`);
    await link(at(place, target), await spotFor(entry, place));
  },
  async special({ path }) {
    throw refusedTar(`${shownPath(path)} is a device, a pipe or a socket`);
  },
};

async function spotFor({ path }: TarEntry, place: Place): Promise<Buffer> {
  const name = plain(path);
  if (name === "") throw refusedTar("an entry has no name");
  await makeFolders(above(name), place);
  return at(place, name);
}

/** That folder and all above it: real folders, never links. */
async function makeFolders(path: string, place: Place): Promise<void> {
  if (place.folders.has(path)) return;
  await makeFolders(above(path), place);
  const spot = at(place, path);
  try {
    await mkdir(spot, 0o700);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    const there = await lstat(spot);
    if (!there.isDirectory())
      throw refusedTar(`${shownPath(path)} is no folder, and something is to be in it`);
  }
  place.folders.add(path);
}

async function finish(made: Buffer, entry: TarEntry, place: Place): Promise<void> {
  if (place.keepsOwners) await lchown(made, entry.uid, entry.gid);
  await chmod(made, entry.mode & modeMask);
}

/** Vetted paths are plain but for the slash of a folder; whoever forgot to vet is stopped here. */
function plain(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const isOutside = path.startsWith("/") || path.includes("\0") || parts.includes("..");
  if (isOutside) throw refusedTar(`${shownPath(path)} leads out of its folder`);
  return parts.join("/");
}

function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function at({ root }: Place, path: string): Buffer {
  return path === "" ? root : Buffer.concat([root, Buffer.from("/"), pathBytes(path)]);
}
