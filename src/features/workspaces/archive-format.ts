import { createHash } from "node:crypto";
import { pipeline, type Duplex } from "node:stream";
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { Bytes } from "../../platform/byte-stream.ts";

/** What tells that bytes are the same. */
export interface Seal {
  readonly size: number;
  readonly sha256: string;
}

export interface Sealing {
  readonly bytes: Bytes;
  /** How many came so far. */
  size(): number;
  /** Undefined: they did not all come. */
  seal(): Seal | undefined;
}

/** The same bytes, measured as they pass. */
export function sealing(source: Bytes): Sealing {
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
  const { bytes, seal } = sealing(source);
  for await (const _ of bytes); // to their end
  return seal() ?? { size: 0, sha256: "" };
}

/** As it stands beside an archive. */
export function metaText({ size, sha256 }: Seal): string {
  return `sha256:${sha256}\nsize:${size}\n`;
}

/** By line: what later versions say besides is nothing to us. An older one says no size. Undefined: it says nothing. */
export function readMeta(text: string): { sha256: string; size: number | undefined } | undefined {
  const [first = "", ...more] = text.split(/\r?\n/);
  const [, sha256] = /^sha256:([0-9a-f]{64})$/.exec(first.trim()) ?? [];
  if (sha256 === undefined) return undefined;
  const [size] = more.flatMap((line) => /^size:(\d{1,15})$/.exec(line.trim())?.[1] ?? []);
  return { sha256, size: size === undefined ? undefined : Number(size) };
}

/** How archives are made smaller, and as large as before. */
export interface Codec {
  compressed(bytes: Bytes): Bytes;
  /** As its key says that it was made. */
  decompressed(key: string, bytes: Bytes): Bytes;
}

/** How an archive is made smaller. Its frame has a sum of its own, so that `zstd -t` says more than that it opens. */
export function compressed(bytes: Bytes): Bytes {
  return through(bytes, createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }));
}

/** As its key says that it was made. */
export function decompressed(key: string, bytes: Bytes): Bytes {
  return through(bytes, key.endsWith(".gz") ? createGunzip() : createZstdDecompress());
}

/** What the source throws is thrown; who stops asking stops it. */
async function* through(source: Bytes, stream: Duplex): AsyncGenerator<Uint8Array> {
  pipeline(source, stream, () => undefined);
  for await (const piece of stream) yield piece as Uint8Array;
}
