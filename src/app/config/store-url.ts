import { DaybookError } from "../../platform/errors.ts";
import { resolvePath } from "../../platform/settings/tree.ts";
import { quote } from "../../platform/text.ts";

export type StoreUrl =
  | { kind: "memory" }
  | { kind: "sqlite"; path: string }
  | { kind: "file"; folder: string }
  | { kind: "postgres"; url: string };

/** The forms of a store. */
export const storeForms = "sqlite:PATH, file:FOLDER, postgres://…, or memory: for a trial";

/** The setting, with a path that starts at `from`. */
export function absoluteStore(url: unknown, from: string): unknown {
  const [, scheme, path] =
    (typeof url === "string" && /^(sqlite|file):(?:\/\/)?(?!\/*$|:memory:$)(.+)$/.exec(url)) || [];
  return path === undefined ? url : `${scheme}:${resolvePath(path, from)}`;
}

/** Reads a store's URL; a relative path starts at the working folder. */
export function parseStore(url: string): StoreUrl {
  if (url === "memory:") return { kind: "memory" };
  if (url === "sqlite::memory:") {
    throw new DaybookError("invalid", "Write memory: for a book in memory, without sqlite.");
  }
  if (/^postgres(?:ql)?:\/\/\P{Cc}+$/u.test(url)) return { kind: "postgres", url };
  const [, scheme, path] = /^(sqlite|file):(?:\/\/)?(?!\/*$)(.+)$/.exec(url) ?? [];
  if (path === undefined) {
    const shown = quote(withoutPassword(url));
    throw new DaybookError("invalid", `${shown} is not a store: write ${storeForms}.`);
  }
  const absolute = resolvePath(path, process.cwd());
  if (scheme === "file") return { kind: "file", folder: absolute };
  return { kind: "sqlite", path: absolute };
}

export function isStore(url: string): boolean {
  try {
    parseStore(url);
    return true;
  } catch {
    return false;
  }
}

/** The text with the passwords of its URLs hidden. */
export function withoutPassword(text: string): string {
  return text
    .replaceAll(/(:\/\/[^\s/:@]*:)\S*(?=@)/g, "$1***")
    .replaceAll(/([?&]password=)[^&\s]*/gi, "$1***");
}
