import { resolvePath } from "../../platform/settings/tree.ts";
import type { Codec } from "./archive-format.ts";

/**
 * Where archives are kept: objects by key, as `archives/{workspace}/{op}/home.tar.zst`. Knows nothing of what is in them.
 * What a call throws is a `DaybookError`: `unavailable` when nobody answered (`details.endpoint` says who), `not_found` from `get` alone,
 * another one otherwise.
 */
export interface Archives {
  /** `dir`, `s3`. */
  readonly name: string;
  /** How archives are made smaller here; absent: by zstd. */
  readonly codec?: Codec;
  /** Keeps it whole, or not at all: no reader ever sees a part. Durable when it resolves. Replaces what was there. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Null: there is none. */
  head(key: string, signal: AbortSignal): Promise<{ size: number } | null>;
  /** Every key that begins so, in any order. Throws rather than leave one out. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<{ key: string; size: number }>;
  /** What is gone already is no error. */
  remove(keys: readonly string[], signal: AbortSignal): Promise<void>;
  /** That it can be used, in a few words; throws what to do when it cannot. */
  check(signal: AbortSignal): Promise<string>;
}

/** Where the archive of one operation is kept. */
export function archiveKeyOf(workspaceId: string, opId: string): string {
  return `${unitPrefix(workspaceId, opId)}home.tar.zst`;
}

/** An archive and what is written beside it are one unit: what begins so is kept or removed as a whole. */
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

/** Undefined: it is none. */
export function parseArchives(url: string): ArchivesUrl | undefined {
  const [, folder] = folderShape.exec(url) ?? [];
  if (folder !== undefined) return { kind: "dir", folder };
  const [, bucket, prefix = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?!.*\.\.)([\w./-]*))?$/.exec(url) ?? [];
  if (bucket === undefined) return undefined;
  return { kind: "s3", bucket, prefix: prefix.replace(/^\/+|\/+$/g, "") };
}
