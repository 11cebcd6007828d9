import { isAbsolute, join, relative, resolve } from "node:path";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { Environment } from "./environment.ts";
import type { Flags } from "./layers.ts";
import { sharedFolder } from "./machine.ts";

export interface Found {
  path: string;
  /** The path for messages: relative if it is below the working folder. */
  name: string;
  text: string;
}

interface Parts {
  env: Environment;
  flags: Flags;
  cwd: string;
  readText(path: string): string | undefined;
}

/** The named file, or the first usual one that exists. */
export function findFile({ env, flags, cwd, readText }: Parts): Found | undefined {
  const named = namedFile(env, flags);
  const usual = [
    resolve(cwd, "daybook.yaml"),
    join(sharedFolder(env["XDG_CONFIG_HOME"], ".config"), "daybook", "daybook.yaml"),
    "/etc/daybook/daybook.yaml",
  ];
  for (const path of named === undefined ? usual : [resolve(cwd, named)]) {
    const text = read(path, readText);
    if (text !== undefined) return { path, name: shortName(path, cwd), text };
  }
  if (named === undefined) return undefined;
  const option = flags["config"] === undefined ? "DAYBOOK_CONFIG" : "--config";
  throw new DaybookError(
    "invalid",
    `${option} is ${quote(named)}, and that file does not exist: daybook config init writes it.`,
  );
}

/** The named file, as written. */
export function namedFile(env: Environment, flags: Flags): string | undefined {
  return flags["config"] ?? (env["DAYBOOK_CONFIG"] || undefined);
}

/** A file that exists and cannot be read is an error, not an absence. */
function read(path: string, readText: Parts["readText"]): string | undefined {
  try {
    return readText(path);
  } catch (error) {
    const sentence = `${path} cannot be read: ${messageOf(error)}.`;
    throw new DaybookError("unavailable", sentence, { cause: error });
  }
}

function shortName(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith("..") || isAbsolute(below) ? path : below;
}
