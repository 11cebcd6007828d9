import { homedir } from "node:os";
import { resolve } from "node:path";
import { oneLine } from "../text.ts";

/** Settings as plain data, before they are checked. */
interface Tree {
  readonly [name: string]: unknown;
}

export type Path = readonly PropertyKey[];

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `owners.mina.quiet`, `channels.webhook.allow[1]`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, name) => {
    if (typeof name === "number") return `${text}[${name}]`;
    const word = oneLine(String(name), 60);
    return text === "" ? word : `${text}.${word}`;
  }, "");
}

export function valueAt(tree: unknown, path: Path): unknown {
  let at = tree;
  for (const name of path) {
    const holds = typeof at === "object" && at !== null && Object.hasOwn(at, name);
    at = holds ? (at as Readonly<Record<PropertyKey, unknown>>)[name] : undefined;
  }
  return at;
}

/** A tree with one value in it. */
export function treeOf(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** The values of `above` win; maps are merged, lists are not. */
export function merge(below: unknown, above: unknown): unknown {
  if (!isTree(below) || !isTree(above)) return above === undefined ? below : above;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  // From entries, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    Array.from(names, (name) => [name, merge(valueAt(below, [name]), valueAt(above, [name]))]),
  );
}

/** An absolute path; `~/` is the home folder of the user. */
export function resolvePath(path: string, from: string): string {
  return resolve(
    from,
    path.replace(/^~(?=\/)/, () => homedir()),
  );
}
