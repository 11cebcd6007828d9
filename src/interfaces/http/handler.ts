import type { RouteTable } from "../../kernel/route.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError } from "../../platform/errors.ts";
import { lazy } from "../../platform/lazy.ts";
import type { Translate } from "../../platform/sentences.ts";
import { admission } from "./admission.ts";
import type { ServeSocket } from "./attach.ts";
import { browserSessions } from "./browser-sessions.ts";
import { callers, type Peer } from "./callers.ts";
import { failureLimit, checkHost, withSecurityHeaders } from "./guard.ts";
import { acceptedLanguage } from "./language.ts";
import type { HttpOptions } from "./options.ts";
import { problemAnswer, problemIn } from "./problem.ts";
import { isConditional } from "./request-input.ts";
import { pathUnder } from "./route.ts";
import { router } from "./router.ts";

export interface HttpHandler {
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Serves the socket that a request asks for, or the response that refuses it. */
  upgrade(request: Request, peer?: Peer): Promise<Response | ServeSocket>;
}

/** The operations over HTTP, for any server with `Request` and `Response`. */
export function httpHandler(options: HttpOptions): HttpHandler {
  const { installation, clock, log, hosts, timeoutMs = 30_000 } = options;
  const { randomBytes } = installation;
  const cookies = browserSessions({ clock, randomBytes });
  const wrong = failureLimit(clock.mono);
  const known = callers({ ...options, browsers: cookies, failures: wrong });
  const parts = { ...options, callers: known, browsers: cookies, failures: wrong };
  const loaded = lazy(() => tablesOf(options));
  const app = lazy(async () => router(parts, await loaded()));
  const admit = admission({ ...options, callers: known });

  /** Runs within the timeout; an error becomes a response. */
  const answered = async <T>(
    request: Request,
    peer: Peer,
    run: (requestId: string) => Promise<T>,
  ): Promise<T | Response> => {
    const requestId = Buffer.from(randomBytes(8)).toString("hex");
    const startedAt = clock.mono();
    const tables = await loaded();
    const { signal } = new AbortController();
    let result: T | Response;
    try {
      if (hosts !== undefined) checkHost(request, hosts);
      const limits = { clock, timeoutMs, graceMs: 0, signal };
      const outcome = await withDeadline(limits, () => run(requestId));
      if (!("done" in outcome)) throw timedOut();
      result = outcome.done;
    } catch (error) {
      if (!(error instanceof DaybookError) || error.code === "bug") {
        log.error("request failed", { requestId, method: request.method, error });
      }
      const base = peer.basePath ?? options.basePath ?? "";
      const path = pathUnder(base, new URL(request.url).pathname);
      const form = tables.find(({ errors }) => errors && path.startsWith(errors.under))?.errors;
      result = form
        ? problemIn(form, error, { requestId, path })
        : problemAnswer(error, {
            requestId,
            isConditional: isConditional(request),
            translate: await translateFor(request, options),
          });
    }
    const answer = result instanceof Response ? withSecurityHeaders(result, requestId) : result;
    const status = answer instanceof Response ? answer.status : 101;
    // Without the query, which may hold a login code.
    const path = withoutSecret(new URL(request.url).pathname, tables);
    const ms = Math.round(clock.mono() - startedAt);
    log.debug("request", { requestId, method: request.method, path, status, ms });
    return answer;
  };

  return {
    fetch: (request, peer = {}) =>
      answered(request, peer, async (requestId) => (await app())(request, { ...peer, requestId })),
    upgrade: (request, peer = {}) => answered(request, peer, () => admit(request, peer)),
  };
}

async function translateFor(
  request: Request,
  { errorsIn }: HttpOptions,
): Promise<Translate | undefined> {
  return errorsIn?.(acceptedLanguage(request) ?? "en");
}

async function tablesOf({
  installation,
  clock,
  log,
  features,
}: HttpOptions): Promise<readonly RouteTable[]> {
  const context = { ...installation, clock, log };
  return Promise.all(features.flatMap(({ routes }) => routes?.(context) ?? []));
}

/** The path without the secret of its route, for the log. */
function withoutSecret(path: string, tables: readonly RouteTable[]): string {
  for (const { path: pattern, secret } of tables.flatMap(({ routes }) => routes)) {
    const prefix = secret === undefined ? "" : pattern.slice(0, pattern.indexOf(`:${secret}`));
    const start = path.lastIndexOf(prefix) + prefix.length;
    if (prefix !== "" && path.includes(prefix)) {
      return path.slice(0, start) + path.slice(start).replace(/^[^/]+/, "…");
    }
  }
  return path;
}

function timedOut(): DaybookError {
  const message =
    "The request timed out, and its result is unknown. Check the record, or send the request again with a key.";
  return new DaybookError("unknown", message);
}
