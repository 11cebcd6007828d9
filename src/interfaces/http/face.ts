import type { Pass } from "../../features/nags/pass.ts";
import type { Desk } from "../../kernel/ask.ts";
import type { Caller, Operation } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTime } from "../../platform/deadline.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { admission } from "./admission.ts";
import type { ServeSocket, SessionPort } from "./attach.ts";
import { pathUnder } from "./base-path.ts";
import { callers, type Auth, type FindToken, type IsTokenGood, type Peer } from "./callers.ts";
import { browsers } from "./cookie.ts";
import { failures } from "./failures.ts";
import { checkHost, guarded } from "./gate.ts";
import type { HooksOptions } from "./hooks.ts";
import { isConditional } from "./input.ts";
import type { LoginPort } from "./login.ts";
import { withoutToken } from "./ping.ts";
import { problemAnswer } from "./problem.ts";
import { faultEnvelope, hasEnvelope } from "./reminders-envelope.ts";
import { router } from "./router.ts";
import { isOfWorkspaces, workspacesFault } from "./workspaces-envelope.ts";

export interface HttpFaceOptions {
  desk: Desk;
  operations: readonly Operation[];
  /** Whose token it is; nothing when it is nobody's, expired or revoked. */
  tokens: FindToken;
  /** Whether a token, by its id, still is somebody's. */
  isTokenGood: IsTokenGood;
  clock: Clock;
  log: Log;
  health: Health;
  /** Links that sign browsers in; absent: nobody is let in by a link. */
  login?: LoginPort;
  /** Names this server answers to: `name` for every port, or `name:port`; absent: the server around us checks. */
  hosts?: readonly string[];
  /** What every path begins with, such as `/daybook`. */
  basePath?: string;
  /** Who asks, as the program around us knows; what it does not know is asked of the tokens. */
  auth?: Auth;
  version: string;
  /** What Prometheus reads. It is shown to every token that may read: nothing in it names an owner. */
  metrics?: () => Promise<string>;
  sessions?: SessionPort;
  mcp?: (request: Request, caller: Caller) => Promise<Response>;
  /** Takes what a chat service tells, by its name; nothing when it is not known. Each proves itself. */
  chats?: (name: string, request: Request) => Promise<Response> | undefined;
  /** Where services tell what happened, by name; absent: nowhere. */
  hooks?: NonNullable<HooksOptions["hooks"]>;
  /** Lets what is due be said once, for those who call from a cron; absent: not from here. */
  nagPass?: Pass;
  /** How long a request may take. */
  timeoutMs?: number;
}

interface Health {
  live(): boolean;
  ready(): Promise<boolean>;
}

export interface HttpFace {
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** What serves the socket that a request asks for, or why there is none. */
  upgrade(request: Request, peer?: Peer): Promise<Response | ServeSocket>;
}

/** The operations over HTTP, for anything that speaks `Request` and `Response`. */
export function httpFace(options: HttpFaceOptions): HttpFace {
  const { desk, clock, log, hosts, timeoutMs = 30_000 } = options;
  const { randomBytes } = desk;
  const cookies = browsers({ clock, randomBytes });
  const wrong = failures(clock.mono);
  const known = callers({ ...options, browsers: cookies, failures: wrong });
  const app = router({ ...options, callers: known, browsers: cookies, failures: wrong });
  const admit = admission({ ...options, callers: known });

  /** Runs in time; whatever goes wrong is an answer. */
  const answered = async <T>(
    request: Request,
    peer: Peer,
    run: (requestId: string) => Promise<T>,
  ): Promise<T | Response> => {
    const requestId = Buffer.from(randomBytes(8)).toString("hex");
    const startedAt = clock.mono();
    const { signal } = new AbortController();
    let came: T | Response;
    try {
      if (hosts !== undefined) checkHost(request, hosts);
      const limits = { clock, timeoutMs, graceMs: 0, signal };
      const result = await inTime(limits, () => run(requestId));
      if (!("done" in result)) throw tooSlow();
      came = result.done;
    } catch (error) {
      if (!(error instanceof DaybookError) || error.code === "bug") {
        log.error("request failed", { requestId, method: request.method, error });
      }
      const base = peer.basePath ?? options.basePath ?? "";
      const path = pathUnder(base, new URL(request.url).pathname);
      came = hasEnvelope(path)
        ? await faultEnvelope(error, { requestId, path })
        : isOfWorkspaces(path)
          ? await workspacesFault(error, requestId)
          : problemAnswer(error, { requestId, isConditional: isConditional(request) });
    }
    const answer = came instanceof Response ? guarded(came, requestId) : came;
    const status = answer instanceof Response ? answer.status : 101;
    // Without the query: a login code stands in it.
    const path = withoutToken(new URL(request.url).pathname);
    const ms = Math.round(clock.mono() - startedAt);
    log.debug("request", { requestId, method: request.method, path, status, ms });
    return answer;
  };

  return {
    fetch: (request, peer = {}) =>
      answered(request, peer, (requestId) => app(request, { ...peer, requestId })),
    upgrade: (request, peer = {}) => answered(request, peer, () => admit(request, peer)),
  };
}

function tooSlow(): DaybookError {
  const message =
    "It took too long, and what became of it is not known: look, or ask again with a key.";
  return new DaybookError("unknown", message);
}
