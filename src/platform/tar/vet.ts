import type { Bytes } from "../byte-stream.ts";
import { refusedTar, shownPath, type TarEntry, type TarKind } from "./entry.ts";
import { readTar } from "./read.ts";
import { writeTar } from "./write.ts";

interface TarLimits {
  readonly entriesMax: number;
  /** Of the whole tar. */
  readonly bytesMax: number;
  /** Of a path, and of what a link leads to. */
  readonly pathBytesMax: number;
  /** The largest compression ratio, checked from `ratioFromBytes` on. */
  readonly ratioMax: number;
  readonly ratioFromBytes: number;
}

/** A home of a person is well within these; gzip alone cannot exceed the ratio. */
const tarLimits: TarLimits = {
  entriesMax: 2_000_000,
  bytesMax: 200 * 1024 ** 3,
  pathBytesMax: 4_096,
  ratioMax: 1_100,
  ratioFromBytes: 4 * 1024 ** 3,
};

interface Vetting {
  readonly limits?: Partial<TarLimits>;
  /** Devices, pipes and sockets are left out when an archive is created; everything else that is refused stays refused. */
  readonly special?: "refuse" | "skip";
  /** How many bytes the tar was compressed to, so far. */
  compressedBytes?(): number;
}

/** Set-user and set-group bits are dropped. */
const modeMask = 0o1777;

/**
 * A tar, entry by entry, written anew with only what was understood and allowed: relative paths that lead through no
 * link, each once; links that are kept as links; hard links to files that came before. It throws at the first that is not.
 */
export function vet(tar: Bytes, vetting: Vetting = {}): Bytes {
  const limits = { ...tarLimits, ...vetting.limits };
  return writeTar(allowed(readTar(measured(tar, limits, vetting)), limits, vetting));
}

async function* measured(
  tar: Bytes,
  { bytesMax, ratioMax, ratioFromBytes }: TarLimits,
  { compressedBytes }: Vetting,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of tar) {
    size += piece.length;
    if (size > bytesMax) throw refusedTar(`it has over ${bytesMax} bytes`, { bytesMax });
    if (size > ratioFromBytes && compressedBytes && size > ratioMax * compressedBytes()) {
      throw refusedTar(`it becomes over ${ratioMax} times as large as it was`, { ratioMax });
    }
    yield piece;
  }
}

async function* allowed(
  entries: AsyncIterable<TarEntry>,
  { entriesMax, pathBytesMax }: TarLimits,
  { special = "refuse" }: Vetting,
): AsyncGenerator<TarEntry> {
  const seen = new Map<string, TarKind>();
  const symlinks = new Map<string, TarEntry>();
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > entriesMax) throw refusedTar(`it has over ${entriesMax} entries`, { entriesMax });
    for (const name of [entry.path, entry.target]) {
      if (name.length > pathBytesMax)
        throw refusedTar(`a path has over ${pathBytesMax} bytes`, { pathBytesMax });
    }
    const plain = secondSymlink(plainEntry(entry), symlinks);
    const kind = plain.kind === "link" ? linkedKind(plain, seen) : plain.kind;
    checkPlace(plain, seen);
    seen.set(plain.path, kind);
    if (kind === "symlink") symlinks.set(plain.path, plain);
    if (kind === "special" && special === "skip") continue;
    if (kind === "special") throw refused(plain, "is a device, a pipe or a socket");
    yield plain;
  }
}

function plainEntry(entry: TarEntry): TarEntry {
  const path = plainPath(entry.path);
  if (path === "" && entry.kind !== "folder") throw refused(entry, "has no name");
  if (entry.target.includes("\0")) throw refused(entry, "leads to what is no name");
  if (entry.kind === "symlink" && entry.target === "") throw refused(entry, "is a link to nothing");
  const target = entry.kind === "link" ? plainPath(entry.target) : entry.target;
  return { ...entry, path, target, mode: entry.mode & modeMask };
}

/** Without `./` and redundant slashes. */
function plainPath(path: string): string {
  const wrong = (why: string) => refusedTar(`${shownPath(path)} ${why}`, { path: shownPath(path) });
  if (path.startsWith("/")) throw wrong("is an absolute path");
  if (path.includes("\0")) throw wrong("is no name");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw wrong("leads out of its folder");
  return parts.join("/");
}

/** Two names of one symlink become two symlinks with the same target. */
function secondSymlink(entry: TarEntry, symlinks: ReadonlyMap<string, TarEntry>): TarEntry {
  const first = entry.kind === "link" ? symlinks.get(entry.target) : undefined;
  return first === undefined ? entry : { ...first, path: entry.path };
}

/** The target of a hard link: an earlier file, or a special one. */
function linkedKind(entry: TarEntry, seen: ReadonlyMap<string, TarKind>): TarKind {
  const kind = seen.get(entry.target);
  if (kind === "file" || kind === "special") return kind;
  throw refused(entry, "is a hard link to no file that came before");
}

function checkPlace({ path, kind }: TarEntry, seen: ReadonlyMap<string, TarKind>): void {
  const before = seen.get(path);
  if (before !== undefined && !(before === "folder" && kind === "folder")) {
    throw refused({ path }, "is there twice");
  }
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    const above = seen.get(path.slice(0, slash));
    if (above !== undefined && above !== "folder")
      throw refused({ path }, "leads through what is no folder");
  }
}

function refused({ path }: Pick<TarEntry, "path">, why: string): Error {
  return refusedTar(`${shownPath(path)} ${why}`, { path: shownPath(path) });
}
