import { resolvePath } from "../../platform/settings/tree.ts";
import type { Codec } from "./archive-format.ts";

/**
 * The storage of archives: objects by key, such as `archives/{workspace}/{op}/home.tar.zst`, of any content. A call throws
 * a `DaybookError`: `unavailable` without an answer (`details.endpoint`), `not_found` only from `get`, or another code.
 */
export interface Archives {
  /** `dir`, `s3`. */
  readonly name: string;
  /** How archives are compressed here. Default: by zstd. */
  readonly codec?: Codec;
  /** Stores a complete object, or none: no reader sees a part. Durable when it resolves. Replaces an existing object. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Null: it does not exist. */
  head(key: string, signal: AbortSignal): Promise<{ size: number } | null>;
  /** Every key with the prefix, in any order. Throws rather than leave one out. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<{ key: string; size: number }>;
  /** What killed writes left, where it takes room and can be listed. */
  readonly parts?: ArchiveParts;
  /** A missing object is no error. */
  remove(keys: readonly string[], signal: AbortSignal): Promise<void>;
  /** Describes the storage in a few words; throws with advice if it cannot be used. */
  check(signal: AbortSignal): Promise<string>;
}

/** Unfinished objects: no key leads to them. */
interface ArchiveParts {
  list(signal: AbortSignal): Promise<readonly ArchivePart[]>;
  /** A missing part is no error. */
  remove(names: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface ArchivePart {
  readonly name: string;
  readonly size: number;
  /** When it was last written to. */
  readonly writtenAt: number;
}

/** The key of the archive of one operation. */
export function archiveKeyOf(workspaceId: string, opId: string): string {
  return `${unitPrefix(workspaceId, opId)}home.tar.zst`;
}

/** An archive and the objects beside it are one unit: all keys with this prefix are kept or removed together. */
export function unitPrefix(workspaceId: string, opId: string): string {
  return `archives/${workspaceId}/${opId}/`;
}

/** Where archives are kept. */
export type ArchivesUrl =
  | { readonly kind: "dir"; readonly folder: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string };

export const archivesForms = "dir:FOLDER or s3://bucket/prefix";

const folderShape = /^dir:(?:\/\/)?(?!\/*$)(.+)$/;

/** The setting, with a folder that starts at `from`. */
export function absoluteArchives(url: unknown, from: string): unknown {
  const [, folder] = (typeof url === "string" && folderShape.exec(url)) || [];
  return folder === undefined ? url : `dir:${resolvePath(folder, from)}`;
}

/** Undefined: it is not a valid setting. */
export function parseArchives(url: string): ArchivesUrl | undefined {
  const [, folder] = folderShape.exec(url) ?? [];
  if (folder !== undefined) return { kind: "dir", folder };
  const [, bucket, prefix = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?!.*\.\.)([\w./-]*))?$/.exec(url) ?? [];
  if (bucket === undefined) return undefined;
  return { kind: "s3", bucket, prefix: prefix.replace(/^\/+|\/+$/g, "") };
}
