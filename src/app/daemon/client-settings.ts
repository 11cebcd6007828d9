import { dirname } from "node:path";
import type { Language } from "../../platform/language.ts";
import { resolvePath } from "../../platform/settings/tree.ts";
import { isZone } from "../../time/zone.ts";
import { findFile } from "../config/find.ts";
import type { ConfigParts } from "../config/load.ts";
import { defaultHome, koreanVariable } from "../config/machine.ts";

/** The settings that a command needs to call a daemon and to show help. */
export interface ClientSettings {
  readonly home: string;
  readonly language: Language;
  /** Absent: the machine's, which takes a while to read. */
  readonly timezone: string | undefined;
}

type Parts = Pick<ConfigParts, "env" | "flags" | "cwd" | "readText">;
type Key = keyof ClientSettings;

/**
 * Reads these settings without the schema and without a YAML parser, which take longer than the whole request. Undefined
 * if a line is not plain: then the complete settings must be loaded, which also reports what is wrong with them.
 */
export function clientSettings({ env, flags, cwd, readText }: Parts): ClientSettings | undefined {
  try {
    const file = findFile({ env, flags, cwd, readText });
    const written = topLevel(file?.text ?? "");
    const inFile = (key: Key): string | undefined => scalar(written.get(key));
    const read = (key: Key): string | undefined => env[variables[key]] || inFile(key);
    const from = env[variables.home] ? cwd : dirname(file?.path ?? cwd);
    const home = resolvePath(read("home") ?? defaultHome(env), from);
    const language = languageOf(read("language"), env);
    const timezone = read("timezone");
    if (timezone !== undefined && !isZone(timezone)) return undefined;
    return { home, language, timezone };
  } catch {
    return undefined;
  }
}

const variables = {
  home: "DAYBOOK_HOME",
  language: "DAYBOOK_LANGUAGE",
  timezone: "DAYBOOK_TIMEZONE",
} as const;

function languageOf(written: string | undefined, env: Parts["env"]): Language {
  const language = written ?? (koreanVariable(env) === undefined ? "en" : "ko");
  if (language === "en" || language === "ko") return language;
  throw notPlain();
}

/** The text after each key in the first column. Throws if a line there is not plainly a key. */
function topLevel(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let last = "";
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]*(?:#|$)/.test(line)) continue;
    if (/^(?:[ \t]|- )/.test(line)) found.set(last, "|"); // it continues below
    else {
      const [, key = "", value = ""] = /^([A-Za-z]+):(?: +(.*))?$/.exec(line) ?? [];
      if (key === "" || found.has(key)) throw notPlain();
      found.set(key, value);
      last = key;
    }
  }
  return found;
}

/** A text on one line: quoted, or a plain word or path. Throws for anything else. */
function scalar(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [, quoted] = /^(["'])([^"'\\]+)\1(?:\s+#.*)?$/.exec(value)?.slice(1) ?? [];
  if (quoted !== undefined) return quoted;
  const [, plain] = /^((?:[A-Za-z]|~?\/|\.\.?\/)[\w./+-]*)(?:\s+#.*)?\s*$/.exec(value) ?? [];
  if (plain === undefined || /^(?:null|true|false)$/i.test(plain)) throw notPlain();
  return plain;
}

function notPlain(): Error {
  return new Error("The complete settings must be loaded.");
}
