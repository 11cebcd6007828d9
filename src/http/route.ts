import type { Operation } from "../operations/operation.ts";

/** Where an operation is asked. */
export interface Route {
  readonly operation: Operation;
  /** As the router has it: `/v1/things/:id`. */
  readonly pattern: string;
  /** Inputs that stand in the path. */
  readonly params: readonly string[];
  /** Whether its input comes as a JSON body; if not, as a query. */
  readonly takesBody: boolean;
}

export function routeOf(operation: Operation): Route {
  const { method, path } = operation.route;
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    operation,
    pattern: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    params,
    takesBody: method !== "GET" && method !== "DELETE",
  };
}

export function hasInput({ input }: Operation, name: string): boolean {
  return Object.hasOwn(input.shape, name);
}
