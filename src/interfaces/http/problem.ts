import { DaybookError, type ErrorCode } from "../../platform/errors.ts";

/** A fault that only HTTP knows, with its own status. */
export class HttpError extends DaybookError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, message);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
  }
}

const kinds: Readonly<Record<ErrorCode, readonly [status: number, title: string]>> = {
  invalid: [422, "The input is wrong"],
  too_large: [413, "The input is over a limit"],
  not_found: [404, "There is no such thing"],
  conflict: [409, "It does not fit what is there"],
  held: [409, "What it needs is taken"],
  stale: [409, "It is not as this needs it"],
  ended: [409, "It has ended"],
  leased: [409, "Somebody is at work on it"],
  busy: [503, "Busy"],
  // Not 500: a proxy or client that sees 504 knows that the fate of the write is open.
  unknown: [504, "The answer was lost"],
  unavailable: [503, "Something needed cannot be reached"],
  unsupported: [501, "This cannot be done here"],
  refused: [403, "Not allowed"],
  closed: [503, "Stopping"],
  bug: [500, "A fault of ours"],
};

const retrySeconds: Partial<Readonly<Record<ErrorCode, number>>> = {
  busy: 1,
  unavailable: 5,
  closed: 5,
};

/** A fault as RFC 9457 has it: the same sentence as on every face, and what programs need. */
interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  problems?: unknown;
  details?: Readonly<Record<string, unknown>>;
  request_id: string;
}

export interface Asking {
  readonly requestId: string;
  /** The request named the revision it knows (`If-Match`): a stale one is then 412. */
  readonly isConditional: boolean;
}

/** Of what is held: somebody has the name, or there are too many of them, or too many at work at once. */
function kindOf({ code, details }: DaybookError): readonly [status: number, title: string] {
  const full = "There are as many as there may be";
  if (code === "held" && details["limit_type"] !== undefined) return [429, full];
  if (code === "held" && details["limit"] !== undefined) return [kinds.held[0], full];
  return kinds[code];
}

function problemOf(error: unknown, { requestId, isConditional }: Asking): Problem {
  const known = error instanceof DaybookError && error.code !== "bug" ? error : hidden(requestId);
  const [usual, title] = kindOf(known);
  const own = known instanceof HttpError ? known.status : usual;
  const { problems, ...details } = known.details;
  return {
    type: `urn:daybook:problem:${known.code}`,
    title,
    status: known.code === "stale" && isConditional ? 412 : own,
    detail: known.message,
    code: known.code,
    ...(problems === undefined ? {} : { problems }),
    // What went wrong on our side is for the log: its facts may name files and hosts.
    ...(own < 500 && Object.keys(details).length > 0 ? { details } : {}),
    request_id: requestId,
  };
}

/** What a fault of ours looks like from outside: the log has the rest. */
function hidden(requestId: string): DaybookError {
  return new DaybookError("bug", `Something is wrong on our side: the log has it as ${requestId}.`);
}

export function problemAnswer(error: unknown, asking: Asking): Response {
  const problem = problemOf(error, asking);
  const seconds = retrySeconds[problem.code];
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
      ...(error instanceof HttpError ? error.headers : {}),
    },
  });
}
