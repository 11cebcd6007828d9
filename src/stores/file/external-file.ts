import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../platform/json.ts";
import { hasErrno } from "./faults.ts";
import { objectOf } from "./record-file.ts";

export const externalBytesMax = 256 * 1024;
/** How long a program that does not rename its files may take to write one. */
export const partialMsMax = 2000;

export type Read =
  | { readonly is: "gone" }
  /** It may be unfinished: it is read again. */
  | { readonly is: "partial" }
  | { readonly is: "bad"; readonly reason: string }
  | {
      readonly is: "json";
      readonly json: Readonly<Record<string, unknown>>;
      readonly mtimeMs: number;
    };

/** Reads a file of another program. Follows no link and never blocks. */
export function readExternal(root: string, path: string, now: number): Read {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  let file: number | undefined;
  try {
    file = openSync(join(root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return readOpen(file, now);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return { is: "gone" };
    if (hasErrno(error, "ELOOP", "EMLINK", "ENXIO")) return bad("It is not a regular file.");
    if (hasErrno(error, "EACCES", "EPERM")) return bad("It cannot be read: check its permissions.");
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readOpen(file: number, now: number): Read {
  const stat = fstatSync(file);
  if (!stat.isFile()) return bad("It is not a regular file.");
  if (stat.size > externalBytesMax) return bad(`It is larger than ${externalBytesMax} bytes.`);
  const json = readJson(readFileSync(file));
  if ("wrong" in json) {
    const isNew = Math.abs(now - stat.mtimeMs) < partialMsMax;
    return isNew ? { is: "partial" } : bad(json.wrong);
  }
  const object = objectOf(json.value);
  if (object === undefined) return bad("It is not a JSON object.");
  return { is: "json", json: object, mtimeMs: stat.mtimeMs };
}

function bad(reason: string): Read {
  return { is: "bad", reason };
}
