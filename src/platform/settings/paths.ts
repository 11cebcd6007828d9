import { resolvePath } from "./tree.ts";

/** A value that is a path. */
export function wholePath(value: unknown, from: string): unknown {
  return typeof value === "string" && value !== "" ? resolvePath(value, from) : value;
}

/** A path if it begins with `./`, `../` or `~/`, and otherwise a name that is looked up. */
function dottedPath(value: unknown, from: string): unknown {
  const isPath = typeof value === "string" && /^(?:~|\.\.?)\//.test(value);
  return isPath ? resolvePath(value, from) : value;
}

/** A list of such paths or names. */
export function dottedPaths(value: unknown, from: string): unknown {
  return Array.isArray(value) ? value.map((each: unknown) => dottedPath(each, from)) : value;
}

/** A program and its arguments: only the program is such a path or name. */
export function programPath(value: unknown, from: string): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((each: unknown, at) => (at === 0 ? dottedPath(each, from) : each));
}
