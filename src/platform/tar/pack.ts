import { constants, type BigIntStats } from "node:fs";
import { lstat, open, readdir, readlink, type FileHandle } from "node:fs/promises";
import type { Bytes } from "../byte-stream.ts";
import { diskFault, errnoOf } from "../disk-fault.ts";
import { DaybookError } from "../errors.ts";
import { noBytes, pathBytes, shownPath, type TarEntry } from "./entry.ts";
import { writeTar } from "./write.ts";

const pieceBytes = 256 * 1024;
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * All that is in a folder, as a tar: always in the same order, links as links, a file with two names once. Sockets, pipes and
 * devices are left out. It throws when a file changes while it is read: half old and half new is not a copy.
 */
export function packFolder(folder: string): Bytes {
  return writeTar(entriesOf(folder));
}

interface Walk {
  readonly root: Buffer;
  /** The first name of each file that has several, by its number. */
  readonly names: Map<string, string>;
}

async function* entriesOf(folder: string): AsyncGenerator<TarEntry> {
  const walk = { root: Buffer.from(folder), names: new Map<string, string>() };
  try {
    yield* entriesAt("", walk);
  } catch (cause) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(cause))) throw changed(cause);
    throw diskFault(cause, `packing ${folder}`);
  }
}

async function* entriesAt(path: string, walk: Walk): AsyncGenerator<TarEntry> {
  const place = placeOf(walk.root, path);
  const stats = await lstat(place, { bigint: true });
  if (stats.isDirectory()) {
    yield { ...factsOf(path, stats), kind: "folder" };
    const names = await readdir(place, { encoding: "buffer" });
    for (const name of names.toSorted((a, b) => Buffer.compare(a, b))) {
      const below = name.toString("latin1");
      yield* entriesAt(path === "" ? below : `${path}/${below}`, walk);
    }
  } else if (stats.isSymbolicLink()) {
    const target = await readlink(place, { encoding: "buffer" });
    yield { ...factsOf(path, stats), kind: "symlink", target: target.toString("latin1") };
  } else if (stats.isFile()) {
    yield* fileAt(path, stats, walk);
  }
}

async function* fileAt(path: string, stats: BigIntStats, walk: Walk): AsyncGenerator<TarEntry> {
  const number = `${stats.dev}:${stats.ino}`;
  const first = walk.names.get(number);
  if (first !== undefined) {
    yield { ...factsOf(path, stats), kind: "link", target: first };
    return;
  }
  if (stats.nlink > 1n) walk.names.set(number, path);
  const file = await open(placeOf(walk.root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const size = Number(stats.size);
    const body = contentOf(file, path, stats);
    yield { ...factsOf(path, stats), kind: "file", size, body };
  } finally {
    await file.close();
  }
}

async function* contentOf(
  file: FileHandle,
  path: string,
  before: BigIntStats,
): AsyncGenerator<Uint8Array> {
  for (let left = Number(before.size); left > 0;) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, left));
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) throw changed(undefined, path);
    left -= bytesRead;
    yield piece.subarray(0, bytesRead);
  }
  const after = await file.stat({ bigint: true });
  const isSame = (["dev", "ino", "size", "mtimeNs"] as const).every(
    (fact) => after[fact] === before[fact],
  );
  if (!isSame) throw changed(undefined, path);
}

function factsOf(path: string, stats: BigIntStats): TarEntry {
  return {
    path,
    kind: "file",
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    mtimeSeconds: Number(stats.mtimeMs / 1_000n),
    size: 0,
    target: "",
    body: noBytes(),
  };
}

function placeOf(root: Buffer, path: string): Buffer {
  return path === "" ? root : Buffer.concat([root, Buffer.from("/"), pathBytes(path)]);
}

function changed(cause: unknown, path?: string): DaybookError {
  const what = path === undefined ? "Something" : shownPath(path);
  const sentence = `${what} changed while it was packed: end what writes there, then pack it again.`;
  return new DaybookError("busy", sentence, { cause });
}
