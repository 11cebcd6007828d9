import type { ErrorForm, Problem } from "../../kernel/route.ts";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { HttpError } from "../../platform/http-error.ts";
import type { Translate } from "../../platform/sentences.ts";

interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

const kinds: Readonly<Record<ErrorCode, ProblemKind>> = {
  invalid: { status: 422, title: "The input is wrong" },
  too_large: { status: 413, title: "The input is over a limit" },
  not_found: { status: 404, title: "Not found" },
  conflict: { status: 409, title: "It conflicts with an existing record" },
  held: { status: 409, title: "What it needs is in use" },
  stale: { status: 409, title: "The record has changed or is in another state" },
  ended: { status: 409, title: "It has ended" },
  leased: { status: 409, title: "The record is being processed" },
  busy: { status: 503, title: "Too busy" },
  // Not 500: a 504 tells proxies and clients that the write may have been done.
  unknown: { status: 504, title: "The result is unknown" },
  unavailable: { status: 503, title: "A required service is unavailable" },
  unsupported: { status: 501, title: "Not supported here" },
  refused: { status: 403, title: "Not allowed" },
  closed: { status: 503, title: "It is stopping" },
  bug: { status: 500, title: "Internal error" },
};

const retrySeconds: Partial<Readonly<Record<ErrorCode, number>>> = {
  busy: 1,
  unavailable: 5,
  closed: 5,
};

export interface RequestFacts {
  readonly requestId: string;
  /** The request has `If-Match`: a stale revision is then 412. */
  readonly isConditional: boolean;
  /** To the language that the client asks for; absent: English. */
  readonly translate?: Translate | undefined;
}

/** A hold is refused because its name is taken, because a limit is reached, or because too many run at once. */
function kindOf({ code, details }: DaybookError): ProblemKind {
  if (code !== "held") return kinds[code];
  if (details["limit_type"] !== undefined) return { status: 429, title: "The limit is reached" };
  return details["limit"] === undefined
    ? kinds.held
    : { status: kinds.held.status, title: "The limit is reached" };
}

function problemOf(error: unknown, facts: RequestFacts): Problem {
  const { requestId, isConditional, translate = (sentence) => sentence } = facts;
  const known = error instanceof DaybookError && error.code !== "bug" ? error : hidden(requestId);
  const { status: usual, title } = kindOf(known);
  const own = known instanceof HttpError ? known.status : usual;
  const { problems, ...details } = known.details;
  return {
    type: `urn:daybook:problem:${known.code}`,
    title: translate(title),
    status: known.code === "stale" && isConditional ? 412 : own,
    detail: translate(known.message),
    code: known.code,
    problems,
    // The details of our own failures are for the log: they may name files and hosts.
    details: own < 500 && Object.keys(details).length > 0 ? details : undefined,
    request_id: requestId,
  };
}

/** A bug as shown to clients: the log has the details. */
function hidden(requestId: string): DaybookError {
  return new DaybookError(
    "bug",
    `Internal error. The log has the details under request id ${requestId}.`,
  );
}

export function problemAnswer(error: unknown, request: RequestFacts): Response {
  const problem = problemOf(error, request);
  const headers = headersOf(error, problem, "application/problem+json");
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

/** The same in the form of a feature's own paths. */
export function problemIn(
  { write }: ErrorForm,
  error: unknown,
  { requestId, path }: { readonly requestId: string; readonly path: string },
): Response {
  const problem = problemOf(error, { requestId, isConditional: false });
  const { status, body } = write(problem, { requestId, path });
  const headers = headersOf(error, problem, "application/json");
  return new Response(JSON.stringify(body), { status, headers });
}

function headersOf(error: unknown, { code }: Problem, type: string): Headers {
  const headers = new Headers({ "content-type": type });
  const seconds = retrySeconds[code];
  if (seconds !== undefined) headers.set("retry-after", String(seconds));
  const own = error instanceof HttpError ? error.headers : {};
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
}
