import type { IncomingMessage } from "node:http";
import { sessionOf } from "../../features/notifications/index.ts";
import type { Caller } from "../../kernel/operation.ts";
import type { Scope } from "../../kernel/scope.ts";
import { HttpError } from "../../platform/http-error.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import { type FailureLimit, checkOrigin } from "./guard.ts";

/** The origin of a request, as far as the server knows it. */
export interface Peer {
  readonly address?: string | undefined;
  /** The id of this request in the log. */
  readonly requestId?: string | undefined;
  /** The prefix that the embedding server has removed from the path. */
  readonly basePath?: string | undefined;
  /** Aborts when the server stops: endless responses end. */
  readonly stopping?: AbortSignal | undefined;
  /** The request of Node or Express, with the properties that middleware set. */
  readonly incoming?: IncomingMessage | undefined;
}

/** Who asks, as the program around us knows. */
export interface HostCaller {
  readonly owner: string;
  /** Who acts; the owner when absent. */
  readonly by?: string;
  readonly scopes: readonly Scope[];
  /** The chat or session it is asked in. */
  readonly origin?: string | null;
}

/** Looks at a request without its body; null when it does not know who asks. */
export type Auth = (request: Request, peer: Peer) => HostCaller | null | Promise<HostCaller | null>;

export type FindToken = (token: string) => Promise<Caller | undefined>;
export type IsTokenGood = (id: string) => Promise<boolean>;

export interface Callers {
  /** The caller by token or cookie; throws 401 when there is neither. */
  find(request: Request, peer: Peer): Promise<Caller>;
  /** The caller by the embedding program's authentication, if it has one. */
  byHost(request: Request, peer: Peer): Promise<Caller | undefined>;
  /** The caller by token alone. */
  byToken(token: string | undefined, peer: Peer): Promise<Caller>;
  /** Whether an earlier login is still valid: it ends with its token. */
  mayStay(caller: Caller): Promise<boolean>;
}

const tokenCharsMax = 512;

export function callers(parts: {
  tokens: FindToken;
  isTokenGood: IsTokenGood;
  browsers: BrowserSessions;
  failures: FailureLimit;
  auth?: Auth | undefined;
}): Callers {
  const { tokens, isTokenGood, browsers, failures, auth } = parts;
  const mayStay = async ({ token }: Caller): Promise<boolean> =>
    token === undefined || (await isTokenGood(token));
  const byToken = async (token: string | undefined, { address = "" }: Peer): Promise<Caller> => {
    if (token === undefined) throw unauthenticated();
    const found = token.length > tokenCharsMax ? undefined : await tokens(token);
    if (found !== undefined) return found;
    // A valid token always passes: others behind the same address may have theirs.
    failures.count({ address, credential: "token" });
    throw unauthenticated();
  };
  const byHost = async (request: Request, peer: Peer): Promise<Caller | undefined> =>
    auth && hostCaller(auth, request, peer);
  return {
    byHost,
    byToken,
    mayStay,
    async find(request, peer) {
      const host = await byHost(request, peer);
      if (host) return host;
      if (request.headers.has("authorization")) {
        return inSession(await byToken(bearer(request), peer), request);
      }
      const found = browsers.find(request);
      if (found === undefined || !(await mayStay(found))) throw unauthenticated();
      // Browsers send the cookie for any page.
      if (request.method !== "GET" && request.method !== "HEAD") checkOrigin(request, true);
      return found;
    },
  };
}

/** The answer goes to the session that the header names; it is always one of the same owner. */
function inSession(caller: Caller, { headers }: Request): Caller {
  const name = decoded(headers.get("daybook-session") ?? "");
  return name === "" ? caller : { ...caller, origin: sessionOf(caller.owner, name) };
}

/** The header is percent-encoded, since headers carry ASCII only. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    const message = "The session in daybook-session cannot be read: write it as a URL does.";
    throw new HttpError(400, "invalid", message);
  }
}

async function hostCaller(auth: Auth, request: Request, peer: Peer): Promise<Caller | undefined> {
  const { url, method, headers } = request;
  const known = await auth(new Request(url, { method, headers }), peer);
  if (known === null) return undefined;
  // Without an authorization header it may be a cookie that the browser sent by itself.
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead && !headers.has("authorization")) checkOrigin(request, false);
  const { owner, by = owner, scopes, origin = null } = known;
  return { owner, by, scopes, origin };
}

/** The token of `Authorization: Bearer …`. */
export function bearer(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** The same error for no token and for a wrong one. */
function unauthenticated(): HttpError {
  const message = "Missing or invalid token. Send a valid one as Authorization: Bearer TOKEN.";
  return new HttpError(401, "refused", message, { "www-authenticate": 'Bearer realm="daybook"' });
}
