import { problemAnswer, type Problem } from "./problem.ts";

/** The paths of the two products before this one, whose answers have forms of their own. */
const remindersRoot = "/api/reminder/";
const workspacesRoot = "/api/v1/";
export const registerPath = "/api/reminder/register-by-page";
export const schedulePath = "/api/reminder/schedule/v2";

interface ErrorFacts {
  readonly requestId: string;
  readonly path: string;
}

/** The response for an error in the form of a seed's path; undefined on other paths. */
export async function seedError(error: unknown, facts: ErrorFacts): Promise<Response | undefined> {
  const { requestId, path } = facts;
  const isOfReminders = path.startsWith(remindersRoot);
  if (!isOfReminders && !path.startsWith(workspacesRoot)) return undefined;
  const response = problemAnswer(error, { requestId, isConditional: false });
  const problem = (await response.json()) as Problem; // made by us
  return isOfReminders
    ? remindersError(problem, response.headers, facts)
    : workspacesError(problem, response.headers);
}

function remindersError(
  problem: Problem,
  headers: Headers,
  { requestId, path }: ErrorFacts,
): Response {
  const status = problem.status === 422 ? 400 : problem.status;
  const errorCode = ownCode(status, path) ?? errorCodes[status] ?? "INTERNAL_ERROR";
  return answer({ status, errorCode, message: problem.detail, meta: { requestId } }, headers);
}

function workspacesError(problem: Problem, others: Headers): Response {
  const { detail: message, details } = problem;
  const status = statuses[problem.status] ?? problem.status;
  const isLimit = details?.["limit_type"] !== undefined;
  const code = isLimit ? "RUNNING_LIMIT_EXCEEDED" : (codes[status] ?? "INTERNAL_ERROR");
  const headers = new Headers(others);
  headers.set("content-type", "application/json");
  const error = { code, message, details: isLimit ? details : undefined };
  return new Response(JSON.stringify({ error }), { status, headers });
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

function ownCode(status: number, path: string): string | undefined {
  if (status === 404 && path === registerPath) return "PAGE_NOT_FOUND";
  return status >= 500 && path === schedulePath ? "SCHEDULER_FAILED" : undefined;
}

function answer(envelope: Envelope, others?: Headers): Response {
  const headers = new Headers(others);
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(envelope), { status: envelope.status, headers });
}

export const workspacesPath = "/api/v1/workspaces";
export const eventsPath = "/api/v1/events";

/** Codes of the first workspaces. */
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

/** Statuses that the first workspaces did not have. */
const statuses: Readonly<Record<number, number>> = {
  412: 409,
  413: 400,
  415: 400,
  422: 400,
  503: 502,
  504: 500,
};
