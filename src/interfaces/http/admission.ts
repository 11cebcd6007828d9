import { allows } from "../../kernel/scope.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { HttpError } from "../../platform/http-error.ts";
import type { Log } from "../../platform/log.ts";
import { quote } from "../../platform/text.ts";
import { serveSocket, type ServeSocket, type SessionPort } from "./attach.ts";
import { bearer, type Callers, type FindToken, type Peer } from "./callers.ts";
import { checkOrigin } from "./guard.ts";
import { pathUnder } from "./route.ts";

export const attachPath = "/v1/attach";

const notNow = "The book is not started. Attach again when it is.";

/**
 * Admits a listener by the embedding program's authentication or by its token. A session cookie of ours does not count;
 * one of that program counts from its own pages only, since browsers send it for any page.
 */
export function admission(parts: {
  callers: Callers;
  tokens: FindToken;
  clock: Clock;
  log: Log;
  sessions?: SessionPort | undefined;
  basePath?: string;
}): (request: Request, peer: Peer) => Promise<ServeSocket> {
  const { callers, tokens, clock, log, basePath = "" } = parts;
  const sessions = parts.sessions === undefined ? undefined : limited(parts.sessions);
  return async (request, peer) => {
    checkOrigin(request, false);
    const token = bearer(request) ?? protocolToken(request);
    const host = await callers.byHost(request, peer);
    const caller = host ?? (await callers.byToken(token, peer));
    const { pathname, searchParams } = new URL(request.url);
    if (pathUnder(basePath, pathname) !== attachPath || sessions === undefined) {
      throw new HttpError(
        404,
        "not_found",
        "There is no WebSocket at this path. Connect to /v1/attach.",
      );
    }
    if (sessions.isOpen?.() === false) throw new HttpError(503, "unavailable", notNow);
    const mayListen = (scopes: typeof caller.scopes): boolean => allows(scopes, "read");
    if (!mayListen(caller.scopes)) {
      const subject = host ? "This caller" : "This token";
      throw new HttpError(403, "refused", `${subject} may not attach: it needs the scope "read".`);
    }
    const isAllowed = async (): Promise<boolean> => {
      const found = await (host ? callers.byHost(request, peer) : tokens(token ?? ""));
      return found?.owner === caller.owner && mayListen(found.scopes);
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

const perOwnerMax = 100;

/** The same port with a limit of listeners per owner. */
function limited(sessions: SessionPort): SessionPort {
  const open = new Map<string, number>();
  const take = (owner: string): void => {
    const count = open.get(owner) ?? 0;
    if (count >= perOwnerMax) throw tooMany(owner);
    open.set(owner, count + 1);
  };
  const free = (owner: string): void => {
    const left = (open.get(owner) ?? 1) - 1;
    if (left === 0) open.delete(owner);
    else open.set(owner, left);
  };
  return {
    ...sessions,
    async attach(caller, socket, session) {
      const { owner } = caller;
      take(owner); // before any await, so that two at once cannot both be the last
      try {
        const attached = await sessions.attach(caller, socket, session);
        return {
          ...attached,
          async detach() {
            free(owner);
            await attached.detach();
          },
        };
      } catch (error) {
        free(owner);
        throw error;
      }
    },
  };
}

function tooMany(owner: string): DaybookError {
  const sentence = `${perOwnerMax} listen in the book of ${quote(owner)} at this node, and no more may: close one of them first.`;
  return new DaybookError("refused", sentence, { details: { limit: perOwnerMax } });
}
