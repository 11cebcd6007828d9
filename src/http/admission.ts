import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { allows } from "../rules/token.ts";
import { serveSocket, type ServeSocket, type SessionPort } from "./attach.ts";
import { bearer, type Callers, type FindToken, type Peer } from "./callers.ts";
import { checkOrigin } from "./gate.ts";
import { HttpError } from "./problem.ts";
import { seated } from "./seats.ts";

export const attachPath = "/v1/attach";

/** Lets a listener in: by its token alone, since a cookie is sent whoever's page asked. */
export function admission(parts: {
  callers: Callers;
  tokens: FindToken;
  clock: Clock;
  log: Log;
  sessions?: SessionPort;
}): (request: Request, peer: Peer) => Promise<ServeSocket> {
  const { callers, tokens, clock, log } = parts;
  const sessions = parts.sessions === undefined ? undefined : seated(parts.sessions);
  return async (request, peer) => {
    checkOrigin(request, false);
    const token = bearer(request) ?? protocolToken(request);
    const caller = await callers.byToken(token, peer);
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== attachPath || sessions === undefined || token === undefined) {
      throw new HttpError(404, "not_found", "There is no socket here.");
    }
    const mayListen = (scopes: typeof caller.scopes): boolean => allows(scopes, "read");
    if (!mayListen(caller.scopes)) {
      throw new HttpError(403, "refused", 'This token may not attach: it needs the scope "read".');
    }
    const isAllowed = async (): Promise<boolean> => {
      const found = await tokens(token);
      return found !== undefined && mayListen(found.scopes);
    };
    const session = searchParams.get("session") ?? undefined;
    return (socket) => serveSocket(socket, { clock, log, sessions, caller, session, isAllowed });
  };
}

/** A browser can set no header on a socket, but it can name protocols: `daybook, bearer.TOKEN`. */
function protocolToken(request: Request): string | undefined {
  const protocols = (request.headers.get("sec-websocket-protocol") ?? "").split(/\s*,\s*/);
  if (!protocols.includes("daybook")) return undefined;
  return protocols.find((each) => each.startsWith("bearer."))?.slice("bearer.".length);
}
