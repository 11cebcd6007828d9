import type { Clock } from "../../platform/clock.ts";
import type { FetchRequest, SafeFetch } from "../../platform/fetch.ts";
import { type Answer, apiFailure, jsonIn } from "./google-failure.ts";
import type { AccessTokens, GoogleLogin } from "./google-tokens.ts";

export interface GoogleApi {
  /** Sends a request; throws unless it succeeds, or its status is one that the caller expects. */
  call(request: ApiCall): Promise<ApiAnswer>;
}

interface ApiCall {
  readonly method: NonNullable<FetchRequest["method"]>;
  /** Under the API, its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Writes only this version. */
  readonly etag?: string | undefined;
  /** Statuses besides 200 and 204 that are answers. */
  readonly expects?: readonly number[];
  /** It is about one event: what is wrong with that event does not concern the others. */
  readonly isEntry?: boolean;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly json: unknown;
}

export interface GoogleApiOptions {
  readonly fetch: SafeFetch;
  readonly clock: Pick<Clock, "wall">;
  readonly tokens: AccessTokens;
  readonly login: GoogleLogin;
  /** Where the API is, with a slash at its end. */
  readonly url: string;
}

/** Google's Calendar API for one login. */
export function googleApi(options: GoogleApiOptions): GoogleApi {
  const { tokens, login, clock } = options;
  return {
    async call(request) {
      const token = await tokens.get(login, request.signal);
      let answer = await send(request, token, options);
      if (answer.status === 401) {
        // It ended early, or was withdrawn: the next one tells which. Nothing was done.
        tokens.drop(login, token);
        answer = await send(request, await tokens.get(login, request.signal), options);
      }
      const { status, body } = answer;
      const { expects = [], isEntry = false } = request;
      const isExpected = status === 200 || status === 204 || expects.includes(status);
      if (!isExpected) throw apiFailure(answer, clock.wall(), isEntry);
      return { status, json: jsonIn(body) };
    },
  };
}

function send(
  { method, path, query = {}, body, etag, signal }: ApiCall,
  token: string,
  { fetch, url: base }: GoogleApiOptions,
): Promise<Answer> {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${token}`,
    ...(body && { "content-type": "application/json" }),
    ...(etag !== undefined && { "if-match": etag }),
  };
  const text = body && JSON.stringify(body);
  return fetch({ url: url.href, method, headers, body: text, signal });
}
