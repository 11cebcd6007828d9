import type { Bytes } from "../byte-stream.ts";
import { DaybookError } from "../errors.ts";

/** One thing in a tar. */
export interface TarEntry {
  /**
   * From the root of the tar, without a slash at either end; the root itself is empty. Each character is one byte
   * (latin1), since names on a disk are bytes: what is no UTF-8 comes back as it was.
   */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "symlink" | "special";
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeSeconds: number;
  /** Of its body; only files have one. */
  readonly size: number;
  /** What a link leads to, as `path` for a hard one; empty for all else. */
  readonly target: string;
  /** Read once, and before the next entry is asked for. */
  readonly body: Bytes;
}

export type TarKind = TarEntry["kind"];

export const blockBytes = 512;

export async function* noBytes(): AsyncGenerator<Uint8Array> {
  // There are none.
}

/** How many bytes fill the last block. */
export function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

export function pathBytes(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

/** As people read it. */
export function shownPath(path: string): string {
  return JSON.stringify(pathBytes(path).toString("utf8").slice(0, 200));
}

/** A tar that is not taken. */
export function refusedTar(
  why: string,
  details: Readonly<Record<string, unknown>> = {},
): DaybookError {
  const sentence = `The tar is refused: ${why}. Nothing of it may be used: restore another, or make it again.`;
  const facts = { fault: "ActionFailed", code: "TAR_EXTRACT_FAILED", ...details };
  return new DaybookError("refused", sentence, { details: facts });
}
