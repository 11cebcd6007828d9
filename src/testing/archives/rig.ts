import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import type { TestContext } from "node:test";
import type { Archives } from "../../features/workspaces/archives.ts";
import type { Bytes } from "../../platform/byte-stream.ts";
import { blockBytes, noBytes, type TarEntry } from "../../platform/tar/entry.ts";
import { writeTar } from "../../platform/tar/write.ts";

/** Archives under test, empty when a case begins. */
interface ArchivesRig {
  readonly archives: Archives;
  /** Another node with the same storage. */
  readonly other: Archives;
  /** More than one write or upload part. */
  readonly largeBytes: number;
  /** The number of unfinished uploads. Absent: they cannot be counted. */
  unfinished?(): number | Promise<number>;
  /** Why concurrent writes can corrupt an object of this fake service. */
  readonly torn?: string;
  /** Archives that cannot be reached, and their `details.endpoint`. */
  unreachable(): { archives: Archives; endpoint: string };
}

export type MakeArchives = (t: TestContext) => ArchivesRig | Promise<ArchivesRig>;

export async function* from(...pieces: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
}

/** Incompressible bytes, the same each time. */
export function incompressible(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** In chunks of odd sizes. */
export async function* oddChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const sizes = [1, 511, 70_001, 3, 999_983];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
}

/** Reads all bytes, with a timeout. */
export function all(bytes: Bytes): Promise<Buffer> {
  return buffer(bytes);
}

export async function keysOf(archives: Archives, prefix: string): Promise<string[]> {
  const { signal } = new AbortController();
  const found = await Array.fromAsync(archives.list(prefix, signal));
  return found.map(({ key }) => key).toSorted();
}

export function fileEntry(path: string, content: Uint8Array | string): TarEntry {
  const bytes = Buffer.from(content);
  const facts = { kind: "file" as const, mode: 0o644, uid: 0, gid: 0, mtimeSeconds: 1_700_000_000 };
  return { path, ...facts, size: bytes.length, target: "", body: from(bytes) };
}

/** The minimal entry that is not a file. */
export function otherEntry(path: string, kind: TarEntry["kind"], target = ""): TarEntry {
  return { ...fileEntry(path, ""), kind, target, body: noBytes() };
}

export function tarWith(...entries: readonly TarEntry[]): Bytes {
  return writeTar(
    (async function* () {
      yield* entries;
    })(),
  );
}

/** The tar of an empty archive. */
export const emptyTar = Buffer.alloc(2 * blockBytes);

export function assertSame(actual: Uint8Array, expected: Uint8Array): void {
  // A difference of millions of bytes is not printed.
  assert.equal(actual.length, expected.length);
  assert.ok(Buffer.compare(actual, expected) === 0, "the bytes are others");
}
