import type { Operation } from "../../kernel/operation.ts";

/** A path of an operation. */
export interface Route {
  readonly operation: Operation;
  /** Its operation id in OpenAPI. */
  readonly id: string;
  readonly path: string;
  /** The pattern for the router: `/v1/things/:id`. */
  readonly pattern: string;
  /** Inputs in the path. */
  readonly params: readonly string[];
  /** Whether its input comes as a JSON body; if not, as a query. */
  readonly takesBody: boolean;
}

/** All paths of an operation: its own first. */
export function routesOf(operation: Operation): readonly Route[] {
  const { also } = operation.route;
  return [routeOf(operation), ...(also === undefined ? [] : [routeOf(operation, also)])];
}

/** The paths that requests may have: also the one that it had before. */
export function answeredRoutes(operation: Operation): readonly Route[] {
  const { oldPath } = operation.route;
  return [...routesOf(operation), ...(oldPath === undefined ? [] : [routeOf(operation, oldPath)])];
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

/** The path without the base path; an embedding server may have removed that already. */
export function pathUnder(basePath: string, path: string): string {
  if (basePath === "" || !`${path}/`.startsWith(`${basePath}/`)) return path;
  return path.slice(basePath.length) || "/";
}
