import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isZone } from "../../time/zone.ts";
import type { Environment } from "./environment.ts";

export function defaultHome(env: Environment): string {
  return join(sharedFolder(env["XDG_DATA_HOME"], ".local", "share"), "daybook");
}

/** A folder of the XDG specification, which ignores relative ones. */
export function sharedFolder(request = "", ...otherwise: string[]): string {
  return isAbsolute(request) ? request : join(homedir(), ...otherwise);
}

/** The variable that makes this terminal Korean. */
export function koreanVariable(env: Environment): string | undefined {
  const name = ["LC_ALL", "LC_MESSAGES", "LANG"].find((name) => (env[name] ?? "") !== "");
  return name !== undefined && /^ko(?![a-z])/.test(env[name] ?? "") ? name : undefined;
}

export function hostZone(): string {
  const { timeZone } = new Intl.DateTimeFormat("en").resolvedOptions();
  return isZone(timeZone) ? timeZone : "UTC"; // a broken TZ gives none at all
}

/** The text of a file on this machine; undefined if it does not exist. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
