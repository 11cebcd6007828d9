import type { Caller } from "../operations/operation.ts";
import type { Browsers } from "./cookie.ts";
import type { Failures } from "./failures.ts";
import { checkOrigin } from "./gate.ts";
import { HttpError } from "./problem.ts";

/** Where a request came from, as far as the server knows. */
export interface Peer {
  readonly address?: string | undefined;
}

export type FindToken = (token: string) => Promise<Caller | undefined>;
export type IsTokenGood = (id: string) => Promise<boolean>;

export interface Callers {
  /** Who asks, by token or by cookie; throws 401 when that cannot be said. */
  find(request: Request, peer: Peer): Promise<Caller>;
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
}): Callers {
  const { tokens, isTokenGood, browsers, failures } = parts;
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
  return {
    byToken,
    mayStay,
    async find(request, peer) {
      if (request.headers.has("authorization")) return byToken(bearer(request), peer);
      const found = browsers.find(request);
      if (found === undefined || !(await mayStay(found))) throw unknown();
      // The browser sends its cookie whoever's page told it to.
      if (request.method !== "GET" && request.method !== "HEAD") checkOrigin(request, true);
      return found;
    },
  };
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
