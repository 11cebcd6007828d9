import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError } from "../../platform/errors.ts";
import { admission } from "./admission.ts";
import type { ServeSocket } from "./attach.ts";
import { browsers } from "./browser-sessions.ts";
import { callers, type Peer } from "./callers.ts";
import { failures, checkHost, guarded } from "./guard.ts";
import { withoutToken } from "./job-reports.ts";
import type { HttpFaceOptions } from "./options.ts";
import { problemAnswer } from "./problem.ts";
import { isConditional } from "./request-input.ts";
import { pathUnder } from "./route.ts";
import { router } from "./router.ts";
import { faultEnvelope, hasEnvelope, isOfWorkspaces, workspacesFault } from "./seed-envelopes.ts";

export interface HttpFace {
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** What serves the socket that a request asks for, or why there is none. */
  upgrade(request: Request, peer?: Peer): Promise<Response | ServeSocket>;
}

/** The operations over HTTP, for anything that speaks `Request` and `Response`. */
export function httpFace(options: HttpFaceOptions): HttpFace {
  const { installation, clock, log, hosts, timeoutMs = 30_000 } = options;
  const { randomBytes } = installation;
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
      const result = await withDeadline(limits, () => run(requestId));
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
