import { blockBytes, paddingOf, refusedTar, shownPath, type TarEntry } from "./entry.ts";
import { headerBlocks } from "./header.ts";

/** A tar of these entries, produced on request: at most one piece of a body is in memory. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield headerBlocks(entry);
    let written = 0;
    for await (const piece of entry.body) {
      written += piece.length;
      if (piece.length > 0) yield piece;
    }
    if (written !== entry.size)
      throw refusedTar(`${shownPath(entry.path)} is not as long as it says`);
    const padding = paddingOf(written);
    if (padding > 0) yield Buffer.alloc(padding);
  }
  yield Buffer.alloc(2 * blockBytes);
}
