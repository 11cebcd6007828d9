import type { Book } from "../../kernel/ledger.ts";
import { outputStream } from "./kind.ts";

const pageBytes = 256 * 1024;

/** All that a run wrote. */
export async function completeOutput(book: Book, id: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for (let offset = 0, size = 1; offset < size;) {
    const read = await book.read({ id, stream: outputStream, offset, limit: pageBytes });
    if (read.bytes.length === 0) break;
    parts.push(read.bytes);
    offset += read.bytes.length;
    ({ size } = read);
  }
  return Buffer.concat(parts).toString();
}
