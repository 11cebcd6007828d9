import { allows } from "../../kernel/scope.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { quote } from "../../platform/text.ts";
import { serveSocket, type ServeSocket, type SessionPort } from "./attach.ts";
import { bearer, type Callers, type FindToken, type Peer } from "./callers.ts";
import { checkOrigin } from "./guard.ts";
import { HttpError } from "./problem.ts";
import { pathUnder } from "./route.ts";

export const attachPath = "/v1/attach";

const notNow = "Nothing is said here now: attach again when this book is started.";

/**
 * Lets a listener in: whom the program around us knows, or by its token. By no cookie of ours; one of that program's
 * counts from its own pages alone, since it is sent whoever's page asked.
 */
export function admission(parts: {
  callers: Callers;
  tokens: FindToken;
  clock: Clock;
  log: Log;
  sessions?: SessionPort;
  basePath?: string;
}): (request: Request, peer: Peer) => Promise<ServeSocket> {
  const { callers, tokens, clock, log, basePath = "" } = parts;
  const sessions = parts.sessions === undefined ? undefined : seated(parts.sessions);
  return async (request, peer) => {
    checkOrigin(request, false);
    const token = bearer(request) ?? protocolToken(request);
    const host = await callers.byHost(request, peer);
    const caller = host ?? (await callers.byToken(token, peer));
    const { pathname, searchParams } = new URL(request.url);
    if (pathUnder(basePath, pathname) !== attachPath || sessions === undefined) {
      throw new HttpError(404, "not_found", "There is no socket here.");
    }
    if (sessions.isOpen?.() === false) throw new HttpError(503, "unavailable", notNow);
    const mayListen = (scopes: typeof caller.scopes): boolean => allows(scopes, "read");
    if (!mayListen(caller.scopes)) {
      const who = host ? "Whoever asks" : "This token";
      throw new HttpError(403, "refused", `${who} may not attach: it needs the scope "read".`);
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

/** The same port, with so many seats for each owner: one who listens more often is turned away. */
export function seated(sessions: SessionPort): SessionPort {
  const taken = new Map<string, number>();
  const take = (owner: string): void => {
    const count = taken.get(owner) ?? 0;
    if (count >= perOwnerMax) throw tooMany(owner);
    taken.set(owner, count + 1);
  };
  const free = (owner: string): void => {
    const left = (taken.get(owner) ?? 1) - 1;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
  };
  return {
    ...sessions,
    async attach(caller, socket, session) {
      const { owner } = caller;
      take(owner); // before anything is waited for, so that two at once cannot have the last seat
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
