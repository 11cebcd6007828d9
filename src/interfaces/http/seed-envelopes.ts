import { problemAnswer } from "./problem.ts";

/** Where the first reminders were asked for: these paths answer in their own form. */
const under = "/api/reminder/";
export const registerPath = "/api/reminder/register-by-page";
export const schedulePath = "/api/reminder/schedule/v2";

export function hasEnvelope(path: string): boolean {
  return path.startsWith(under);
}

interface Envelope {
  readonly status: number;
  readonly message: string;
  readonly errorCode?: string;
  readonly meta: { readonly requestId: string };
  readonly data?: object;
}

export function success(message: string, data: object, requestId: string): Response {
  return answer({ status: 200, message, meta: { requestId }, data });
}

const errorCodes: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "CONFLICT",
  413: "TOO_LARGE",
  415: "INVALID_REQUEST",
  429: "TOO_MANY_REQUESTS",
  501: "NOT_SUPPORTED",
  503: "UNAVAILABLE",
  504: "UNKNOWN",
};

/** The same fault as on every path, in that form. */
export async function faultEnvelope(
  error: unknown,
  { requestId, path }: { requestId: string; path: string },
): Promise<Response> {
  const problem = problemAnswer(error, { requestId, isConditional: false });
  const { detail } = (await problem.json()) as { detail: string };
  const status = problem.status === 422 ? 400 : problem.status;
  const errorCode = ownCode(status, path) ?? errorCodes[status] ?? "INTERNAL_ERROR";
  return answer({ status, errorCode, message: detail, meta: { requestId } }, problem.headers);
}

function ownCode(status: number, path: string): string | undefined {
  if (status === 404 && path === registerPath) return "PAGE_NOT_FOUND";
  return status >= 500 && path === schedulePath ? "SCHEDULER_FAILED" : undefined;
}

function answer(envelope: Envelope, others?: Headers): Response {
  const headers = new Headers(others);
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(envelope), { status: envelope.status, headers });
}

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
