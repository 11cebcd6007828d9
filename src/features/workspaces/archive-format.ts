import { createHash } from "node:crypto";
import { pipeline, type Duplex } from "node:stream";
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { Bytes } from "../../platform/byte-stream.ts";

/** The size and hash of bytes. */
export interface Seal {
  readonly size: number;
  readonly sha256: string;
}

export interface SealedStream {
  readonly bytes: Bytes;
  /** The bytes so far. */
  size(): number;
  /** Undefined until the stream has ended. */
  seal(): Seal | undefined;
}

/** The same bytes, hashed as they pass. */
export function sealed(source: Bytes): SealedStream {
  const hash = createHash("sha256");
  let size = 0;
  let seal: Seal | undefined;
  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      hash.update(piece);
      size += piece.length;
      yield piece;
    }
    seal = { size, sha256: hash.digest("hex") };
  }
  return { bytes: passing(), size: () => size, seal: () => seal };
}

export async function sealOf(source: Bytes): Promise<Seal> {
  const { bytes, seal } = sealed(source);
  for await (const _ of bytes); // to their end
  return seal() ?? { size: 0, sha256: "" };
}

/** The text of the meta object beside an archive. */
export function metaText({ size, sha256 }: Seal): string {
  return `sha256:${sha256}\nsize:${size}\n`;
}

/** Reads lines and ignores unknown ones, of later versions. Older versions have no size. Undefined: it is not a meta text. */
export function readMeta(text: string): { sha256: string; size: number | undefined } | undefined {
  const [first = "", ...more] = text.split(/\r?\n/);
  const [, sha256] = /^sha256:([0-9a-f]{64})$/.exec(first.trim()) ?? [];
  if (sha256 === undefined) return undefined;
  const [size] = more.flatMap((line) => /^size:(\d{1,15})$/.exec(line.trim())?.[1] ?? []);
  return { sha256, size: size === undefined ? undefined : Number(size) };
}

/** Compresses archives. */
export interface Codec {
  compressed(bytes: Bytes): Bytes;
  /** The format follows from the key. */
  decompressed(key: string, bytes: Bytes): Bytes;
}

/** Compresses by zstd, with a checksum in the frame, which `zstd -t` verifies. */
export function compressed(bytes: Bytes): Bytes {
  return through(bytes, createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }));
}

/** Decompresses by the format in the key. */
export function decompressed(key: string, bytes: Bytes): Bytes {
  return through(bytes, key.endsWith(".gz") ? createGunzip() : createZstdDecompress());
}

/** Passes errors of the source on, and stops the source when the reader stops. */
async function* through(source: Bytes, stream: Duplex): AsyncGenerator<Uint8Array> {
  pipeline(source, stream, () => undefined);
  for await (const piece of stream) yield piece as Uint8Array;
}
