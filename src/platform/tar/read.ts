import type { Bytes } from "../byte-stream.ts";
import {
  blockBytes,
  noBytes,
  paddingOf,
  refusedTar,
  type TarEntry,
  type TarKind,
} from "./entry.ts";
import { readHeader, type TarHeader, readPax, type PaxFacts } from "./header.ts";

/** The most bytes of a header extension. */
const aboutBytesMax = 1024 * 1024;

const kinds: Readonly<Record<string, TarKind>> = {
  "0": "file",
  "1": "link",
  "2": "symlink",
  "3": "special",
  "4": "special",
  "5": "folder",
  "6": "special",
  "7": "file",
};

/**
 * The entries of a tar, with names as they stand there. It is read to its very end before this ends, so what the source throws
 * at its end (a checksum that is wrong) is thrown here.
 */
export async function* readTar(tar: Bytes): AsyncGenerator<TarEntry> {
  const source = taker(tar);
  try {
    let about: PaxFacts = {};
    for (;;) {
      const block = await source.exactly(blockBytes);
      if (isZero(block)) break;
      const header = readHeader(block);
      const more = await readAbout(header, source);
      if (more !== undefined) {
        about = { ...about, ...more };
        continue;
      }
      const entry = entryOf({ ...header, ...about }, source);
      yield entry;
      for await (const _ of entry.body); // what nobody wanted
      await source.exactly(paddingOf(entry.size));
      about = {};
    }
    for await (const piece of source.pieces(Infinity)) {
      if (!isZero(piece)) throw refusedTar("something follows its end");
    }
  } finally {
    await source.close();
  }
}

/** What GNU and pax say before an entry, since its own block has no room. Undefined: it is an entry itself. */
async function readAbout({ type, size }: TarHeader, source: Taker): Promise<PaxFacts | undefined> {
  if (!["K", "L", "x", "g"].includes(type)) return undefined;
  if (size > aboutBytesMax) throw refusedTar("a name in it is longer than any name");
  const bytes = await source.exactly(size);
  await source.exactly(paddingOf(size));
  if (type === "x") return readPax(bytes);
  if (type === "g") {
    if (Object.keys(readPax(bytes)).length === 0) return {};
    throw refusedTar("it says the same of all its entries");
  }
  const name = bytes.toString("latin1").replace(/\0[^]*$/, "");
  return type === "K" ? { target: name } : { name };
}

function entryOf(header: TarHeader, source: Taker): TarEntry {
  const { type, name, target, mode, uid, gid, size, mtimeSeconds } = header;
  const kind = kinds[type];
  if (kind === undefined)
    throw refusedTar(`an entry is of the unknown kind ${JSON.stringify(type)}`);
  if (kind !== "file" && size > 0) throw refusedTar("an entry that is no file has bytes");
  for (const number of [mode, uid, gid, mtimeSeconds]) {
    if (!Number.isSafeInteger(number)) throw refusedTar("a number in it is none");
  }
  const body = size === 0 ? noBytes() : source.pieces(size);
  const isLink = kind === "link" || kind === "symlink";
  const facts = { mode: mode & 0o7777, uid, gid, mtimeSeconds, size };
  return { path: name, kind, ...facts, target: isLink ? target : "", body };
}

interface Taker {
  /** So many bytes; throws when there are fewer. */
  exactly(size: number): Promise<Buffer>;
  /** As they come, up to so many; throws when there are fewer, unless that is all there are. */
  pieces(size: number): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

function taker(tar: Bytes): Taker {
  const from = tar[Symbol.asyncIterator]();
  let rest: Uint8Array = Buffer.alloc(0);
  let isOver = false;

  /** Whether there is more. */
  async function hasMore(): Promise<boolean> {
    while (rest.length === 0 && !isOver) {
      const next = await from.next();
      isOver = next.done === true;
      if (next.done !== true) rest = next.value;
    }
    return rest.length > 0;
  }
  async function* pieces(size: number): AsyncGenerator<Uint8Array> {
    let left = size;
    while (left > 0 && (await hasMore())) {
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
    if (left > 0 && left < Infinity) throw refusedTar("it is cut off before its end");
  }
  return {
    pieces,
    async exactly(size) {
      const parts: Uint8Array[] = [];
      for await (const piece of pieces(size)) parts.push(piece);
      return Buffer.concat(parts);
    },
    async close() {
      if (!isOver) await from.return?.();
    },
  };
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
