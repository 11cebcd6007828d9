import type { Clock } from "../platform/clock.ts";
import type { ErrorCode } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Caller, Installation } from "./operation.ts";

/** What the routes of a feature work with. */
export interface RouteContext extends Installation {
  readonly clock: Clock;
  readonly log: Log;
}

/** The routes of a feature, besides its operations: callbacks, webhooks, endpoints of earlier products. */
export interface RouteTable {
  readonly routes: readonly Route[];
  /** How errors are shown, where clients expect another form than a problem. */
  readonly errors?: ErrorForm;
  /** The routes in the OpenAPI document, by path. */
  readonly openapi?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface RouteAddress {
  /** "ALL" stands for every other method of the path. */
  readonly methods: readonly ("GET" | "POST" | "PATCH" | "DELETE" | "ALL")[];
  /** With parameters: "/ping/:token/:what?". */
  readonly path: string;
  /** The parameter that is a secret: the log leaves it out. */
  readonly secret?: string;
}

/** "caller": only for requests with a valid token or session. "own": the route authorizes the request itself. */
export type Route =
  | (RouteAddress & { readonly auth: "own"; handle(call: RouteCall): Answer })
  | (RouteAddress & {
      readonly auth: "caller";
      handle(call: RouteCall & { readonly caller: Caller }): Answer;
    });

type Answer = Promise<Response>;

/** One request to a route. */
export interface RouteCall {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The id of the request in the log. */
  readonly requestId: string;
  /** Aborts when the server stops: endless responses end. */
  readonly stopping?: AbortSignal | undefined;
  /** Finds the caller now; throws 401 when no token or session is valid. */
  findCaller(): Promise<Caller>;
  /** Counts a failed authorization against the address of the client; throws 429 after too many. */
  countFailure(): void;
}

/** The form of errors under a path, for missing paths too. */
export interface ErrorForm {
  /** Such as "/api/v1/". */
  readonly under: string;
  write(problem: Problem, facts: { readonly requestId: string; readonly path: string }): ErrorBody;
}

export interface ErrorBody {
  readonly status: number;
  readonly body: object;
}

/** An error as RFC 9457 defines it: the same sentence as on every interface, and facts for programs. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  problems: unknown;
  details: Readonly<Record<string, unknown>> | undefined;
  request_id: string;
}
