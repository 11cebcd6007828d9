import { problemAnswer } from "./problem.ts";

/** Where the first workspaces were asked for: these paths answer in their own form. */
export const workspacesPath = "/api/v1/workspaces";
export const eventsPath = "/api/v1/events";

export function isOfWorkspaces(path: string): boolean {
  return path.startsWith("/api/v1/");
}

const codes: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "WORKSPACE_NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "INVALID_STATE",
  429: "TOO_MANY_REQUESTS",
  502: "UPSTREAM_UNAVAILABLE",
};

interface Told {
  readonly detail: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The same fault as on every path, in that form. */
export async function workspacesFault(error: unknown, requestId: string): Promise<Response> {
  const problem = problemAnswer(error, { requestId, isConditional: false });
  const { detail, details } = (await problem.json()) as Told; // just made so
  const status = statuses[problem.status] ?? problem.status;
  const isLimit = details?.["limit_type"] !== undefined;
  const code = isLimit ? "RUNNING_LIMIT_EXCEEDED" : (codes[status] ?? "INTERNAL_ERROR");
  const headers = new Headers(problem.headers);
  headers.set("content-type", "application/json");
  const told = { code, message: detail, ...(isLimit ? { details } : {}) };
  return new Response(JSON.stringify({ error: told }), { status, headers });
}

/** What they had no status for. */
const statuses: Readonly<Record<number, number>> = {
  412: 409,
  413: 400,
  415: 400,
  422: 400,
  503: 502,
  504: 500,
};
