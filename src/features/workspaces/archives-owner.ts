import { readAll } from "../../platform/byte-stream.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Archives } from "./archives.ts";

interface Input {
  readonly signal: AbortSignal;
  readonly isDry?: boolean;
  /** Somebody says that they are this book's, whatever is written there. */
  readonly isConfirmed?: boolean;
}

const key = "archives/book.txt";
const nameBytesMax = 200;

/**
 * A book that keeps its archives beside another's would take those for orphans. So the first to look writes its name
 * there, and no other removes anything. Answers whether they are another's.
 */
export function areForeign(
  archives: Archives,
): (book: string | null, request: Input) => Promise<boolean> {
  return async (book, { signal, isDry = false, isConfirmed = false }) => {
    const found = await nameIn(archives, signal);
    if (found === book) return false;
    if (found !== null && !isConfirmed) return true;
    if (book !== null && !isDry) await archives.put(key, one(book), signal);
    return false;
  };
}

async function nameIn(archives: Archives, signal: AbortSignal): Promise<string | null> {
  try {
    return (await readAll(await archives.get(key, signal), nameBytesMax)).toString("utf8").trim();
  } catch (error) {
    if (hasCode(error, "not_found")) return null;
    throw error;
  }
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
