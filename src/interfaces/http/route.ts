import type { Operation } from "../../kernel/operation.ts";

/** Where an operation is asked. */
export interface Route {
  readonly operation: Operation;
  /** What it is called in the description of the API. */
  readonly id: string;
  readonly path: string;
  /** As the router has it: `/v1/things/:id`. */
  readonly pattern: string;
  /** Inputs that stand in the path. */
  readonly params: readonly string[];
  /** Whether its input comes as a JSON body; if not, as a query. */
  readonly takesBody: boolean;
}

/** Everywhere it is asked: its own path first. */
export function routesOf(operation: Operation): readonly Route[] {
  const { also } = operation.route;
  return [routeOf(operation), ...(also === undefined ? [] : [routeOf(operation, also)])];
}

export function routeOf(operation: Operation, path: string = operation.route.path): Route {
  const { method } = operation.route;
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const { name, route } = operation;
  return {
    operation,
    id: path === route.path ? name : `${name}_also`,
    path,
    pattern: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    params,
    takesBody: method !== "GET" && method !== "DELETE",
  };
}

export function hasInput({ input }: Operation, name: string): boolean {
  return Object.hasOwn(input.shape, name);
}

/** The path under the one that all of ours have; a server around us may have taken that off already. */
export function pathUnder(basePath: string, path: string): string {
  if (basePath === "" || !`${path}/`.startsWith(`${basePath}/`)) return path;
  return path.slice(basePath.length) || "/";
}
