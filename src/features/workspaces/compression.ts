import { pipeline, type Duplex } from "node:stream";
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { Bytes } from "../../platform/byte-stream.ts";

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
