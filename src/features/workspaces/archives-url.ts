import { resolvePath } from "../../platform/settings/tree.ts";

/** Where archives are kept. */
export type ArchivesUrl =
  | { readonly kind: "dir"; readonly folder: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string };

export const archivesForms = "dir:FOLDER or s3://bucket/prefix";

/** Undefined: it is none. A relative folder starts at `from`. */
export function parseArchives(url: string, from: string): ArchivesUrl | undefined {
  const [, folder] = /^dir:(?:\/\/)?(?!\/*$)(.+)$/.exec(url) ?? [];
  if (folder !== undefined) return { kind: "dir", folder: resolvePath(folder, from) };
  const [, bucket, prefix = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?!.*\.\.)([\w./-]*))?$/.exec(url) ?? [];
  if (bucket === undefined) return undefined;
  return { kind: "s3", bucket, prefix: prefix.replace(/^\/+|\/+$/g, "") };
}

export function isArchives(url: string): boolean {
  return parseArchives(url, "/") !== undefined;
}
