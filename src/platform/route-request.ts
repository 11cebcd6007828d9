import { DaybookError, isErrorCode } from "./errors.ts";

export interface Route {
  readonly method: string;
  /** With the names of inputs in braces. */
  readonly path: string;
}

/** Builds a request: inputs go into the path, then into the query or a JSON body. */
export function routeRequest(
  { method, path }: Route,
  input: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>> = {},
): { path: string; body?: string } {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const named = (name: string): string =>
    [name, ...Object.keys(aliases).filter((each) => aliases[each] === name)].find((each) =>
      rest.has(each),
    ) ?? name;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, inPath: string) => {
    const name = named(inPath);
    const text = textOf(rest.get(name));
    rest.delete(name);
    return segment(name, text);
  });
  if (method !== "GET" && method !== "DELETE") {
    return { path: filled, body: JSON.stringify(Object.fromEntries(rest)) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, textOf(each));
  }
  return { path: query.size === 0 ? filled : `${filled}?${query.toString()}` };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A URL drops path segments that are empty or dots, so it would be another request. */
function segment(name: string, text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text.toWellFormed());
  throw new DaybookError("not_found", `There is nothing with the ${name} "${text}".`);
}

interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly details?: object;
  readonly problems?: unknown;
}

/** The error of the server; undefined when it gives no reason. */
export function errorIn(problem: unknown): DaybookError | undefined {
  const { code, detail, details, problems } = (problem ?? {}) as Problem;
  if (typeof detail !== "string") return undefined;
  return new DaybookError(isErrorCode(code) ? code : "unavailable", detail, {
    details: { ...details, ...(problems === undefined ? {} : { problems }) },
  });
}
