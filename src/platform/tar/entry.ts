import type { Bytes } from "../byte-stream.ts";
import { DaybookError } from "../errors.ts";

/** One entry of a tar. */
export interface TarEntry {
  /**
   * From the root of the tar, without a slash at either end; the root itself is empty. Each character is one byte
   * (latin1), since names on a disk are bytes: names that are not UTF-8 are preserved.
   */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "symlink" | "special";
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeSeconds: number;
  /** The size of its body; only files have one. */
  readonly size: number;
  /** The target of a link, like `path` for a hard link; otherwise empty. */
  readonly target: string;
  /** Read once, and before the next entry is requested. */
  readonly body: Bytes;
}

export type TarKind = TarEntry["kind"];

export const blockBytes = 512;

export async function* noBytes(): AsyncGenerator<Uint8Array> {
  // No bytes.
}

/** The number of bytes that fill the last block. */
export function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

export function pathBytes(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

/** The path for people. */
export function shownPath(path: string): string {
  return JSON.stringify(pathBytes(path).toString("utf8").slice(0, 200));
}

/** The error for a tar that is refused. */
export function refusedTar(
  why: string,
  details: Readonly<Record<string, unknown>> = {},
): DaybookError {
  const sentence = `The tar is refused: ${why}. Use none of it: restore another, or create it again.`;
  const facts = { fault: "ActionFailed", code: "TAR_EXTRACT_FAILED", ...details };
  return new DaybookError("refused", sentence, { details: facts });
}
