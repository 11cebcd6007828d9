import type { HttpBindings } from "@hono/node-server";
import { sessionOf } from "../../features/notifications/routing.ts";
import type { Caller } from "../../kernel/operation.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Browsers } from "./browser-sessions.ts";
import { type Failures, checkOrigin } from "./guard.ts";
import { HttpError } from "./problem.ts";

/** Where a request came from, as far as the server knows. */
export interface Peer {
  readonly address?: string | undefined;
  /** What this request is called in the log. */
  readonly requestId?: string | undefined;
  /** What the server around us has taken off the path already. */
  readonly basePath?: string | undefined;
  /** The server is to stop: answers that would go on for ever end. */
  readonly stopping?: AbortSignal | undefined;
  /** The request as Node or Express has it, with what others left there. */
  readonly incoming?: HttpBindings["incoming"] | undefined;
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
  /** Who asks, by token or by cookie; throws 401 when that cannot be said. */
  find(request: Request, peer: Peer): Promise<Caller>;
  /** Whom the program around us knows, if there is one that does. */
  byHost(request: Request, peer: Peer): Promise<Caller | undefined>;
  /** Who asks, by token alone. */
  byToken(token: string | undefined, peer: Peer): Promise<Caller>;
  /** Whether somebody who was let in before may stay: with a token its logins end. */
  mayStay(caller: Caller): Promise<boolean>;
}

const tokenCharsMax = 512;

export function callers(parts: {
  tokens: FindToken;
  isTokenGood: IsTokenGood;
  browsers: Browsers;
  failures: Failures;
  auth?: Auth;
}): Callers {
  const { tokens, isTokenGood, browsers, failures, auth } = parts;
  const mayStay = async ({ token }: Caller): Promise<boolean> =>
    token === undefined || (await isTokenGood(token));
  const byToken = async (token: string | undefined, { address = "" }: Peer): Promise<Caller> => {
    if (token === undefined) throw unknown();
    const found = token.length > tokenCharsMax ? undefined : await tokens(token);
    if (found !== undefined) return found;
    // A right token always gets in: behind one address there may be others who know theirs.
    failures.check(address);
    failures.count(address);
    throw unknown();
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
      if (found === undefined || !(await mayStay(found))) throw unknown();
      // The browser sends its cookie whoever's page told it to.
      if (request.method !== "GET" && request.method !== "HEAD") checkOrigin(request, true);
      return found;
    },
  };
}

/** Who says which session they ask in is answered there. It is one of their own owner, whatever they say. */
function inSession(caller: Caller, { headers }: Request): Caller {
  const name = decoded(headers.get("daybook-session") ?? "");
  return name === "" ? caller : { ...caller, origin: sessionOf(caller.owner, name) };
}

/** A header holds few letters: the others are written as in a URL. */
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
  // Without a header that a page must set itself, it may be a cookie that the browser sent by itself.
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead && !headers.has("authorization")) checkOrigin(request, false);
  const { owner, by = owner, scopes, origin = null } = known;
  return { owner, by, scopes, origin };
}

/** The token of `Authorization: Bearer …`. */
export function bearer(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** The same for no token and for a wrong one. */
function unknown(): HttpError {
  const message = "Who asks is not known: send Authorization: Bearer with a token that is valid.";
  return new HttpError(401, "refused", message, { "www-authenticate": 'Bearer realm="daybook"' });
}
