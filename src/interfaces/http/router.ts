import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { callOperation } from "../../kernel/call.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import type { Route, RouteCall, RouteTable } from "../../kernel/route.ts";
import { allows } from "../../kernel/scope.ts";
import { readBytes } from "../../platform/http-body.ts";
import { HttpError, wrongMethod } from "../../platform/http-error.ts";
import { attachPath } from "./admission.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import type { Callers, Peer } from "./callers.ts";
import type { FailureLimit } from "./guard.ts";
import { acceptedLanguage } from "./language.ts";
import { openHome, openLoginLink } from "./login.ts";
import type { HttpOptions } from "./options.ts";
import { readInput } from "./request-input.ts";
import {
  dataResponse,
  isTyped,
  terminalOf,
  textResponse,
  wantsPage,
  wantsText,
} from "./response.ts";
import { answeredRoutes, pathUnder } from "./route.ts";

interface Parts extends HttpOptions {
  callers: Callers;
  browsers: BrowserSessions;
  failures: FailureLimit;
}

interface Env {
  Bindings: Peer;
  Variables: { caller: Caller };
}

/** The routes: first those without authentication, then those that need a caller. */
export function router(
  parts: Parts,
  tables: readonly RouteTable[],
): (request: Request, peer: Peer) => Promise<Response> {
  const app = new Hono<Env>({
    getPath: (request, options) =>
      pathUnder(options?.env?.basePath ?? parts.basePath ?? "", getPath(request)),
  });
  app.onError((error) => {
    throw error; // the handler turns it into a response
  });
  app.notFound((c) => {
    throw new HttpError(404, "not_found", `There is nothing at ${c.req.path}: see /openapi.json.`);
  });
  addPublic(app, parts, tables);
  app.use(async (c, next) => {
    c.set("caller", await parts.callers.find(c.req.raw, c.env));
    await next();
  });
  addOperations(app, parts);
  addRoutes(app, parts, tables, "caller");
  addRest(app, parts);
  return async (request, peer) => app.fetch(request, peer);
}

function addPublic(app: Hono<Env>, parts: Parts, tables: readonly RouteTable[]): void {
  const { health, operations, version } = parts;
  const otherPaths = Object.fromEntries(
    tables.flatMap(({ openapi = {} }) => Object.entries(openapi)),
  );
  let api: string | undefined; // built on the first request
  const healthResponse = (isWell: boolean): Response =>
    new Response(isWell ? "ok\n" : "not ok\n", { status: isWell ? 200 : 503 });
  app.get("/livez", () => healthResponse(health.live()));
  app.get("/readyz", async () => healthResponse(await health.ready().catch(() => false)));
  // For monitors: no token, and no detail that one would protect.
  app.get("/healthz", async () => {
    const isWell = health.live() && (await health.ready().catch(() => false));
    return Response.json({ status: isWell ? "ok" : "unavailable" }, { status: isWell ? 200 : 503 });
  });
  app.get("/openapi.json", async () => {
    const { openApi } = await import("./openapi.ts"); // with all examples: most nodes never need it
    api ??= JSON.stringify(openApi(operations, version, otherPaths));
    return new Response(api, { headers: { "content-type": "application/json" } });
  });
  const { login } = parts;
  if (login !== undefined) {
    app.get("/login", async (c) => {
      // A HEAD request must not use up the code.
      if (c.req.method !== "GET") throw wrongMethod("GET");
      return openLoginLink(c.req.raw, c.env, { ...parts, login });
    });
    app.get("/", async (c, next) => {
      if (!wantsPage(c.req.raw)) return next();
      return openHome(c.req.raw, { ...parts, login });
    });
  }
  addRoutes(app, parts, tables, "own");
  // Each chat checks the signature of its service, and bounds the body.
  app.all("/chats/:name", async (c) => {
    const response = await parts.chats?.(c.req.param("name"), c.req.raw);
    if (response !== undefined) return response;
    throw new HttpError(
      404,
      "not_found",
      "No chat of this name receives requests here. See docs/config.md.",
    );
  });
}

/** The features' own routes of one kind of authorization. */
function addRoutes(
  app: Hono<Env>,
  { callers, failures }: Parts,
  tables: readonly RouteTable[],
  auth: Route["auth"],
): void {
  const routes = tables.flatMap((table) => table.routes).filter((route) => route.auth === auth);
  for (const route of routes) {
    app.on([...route.methods], route.path, async (c) => {
      const { address = "", requestId = "", stopping } = c.env;
      const call: RouteCall = {
        request: c.req.raw,
        params: c.req.param(),
        requestId,
        stopping,
        findCaller: () => callers.find(c.req.raw, c.env),
        countFailure() {
          failures.count({ address, credential: "secret", path: route.path });
        },
      };
      return route.auth === "own"
        ? route.handle(call)
        : route.handle({ ...call, caller: c.var.caller });
    });
  }
}

/** Without a configured address, links name the one of this request. */
function withBaseUrl(
  request: Request,
  peer: Peer,
  { installation, basePath = "" }: Parts,
): Installation {
  if (URL.canParse(installation.baseUrl?.() ?? "")) return installation;
  const url = new URL(request.url).origin + (peer.basePath ?? basePath);
  return { ...installation, baseUrl: () => url };
}

function addOperations(app: Hono<Env>, parts: Parts): void {
  const { operations } = parts;
  const routes = operations.flatMap(answeredRoutes);
  for (const route of routes) {
    const { operation, pattern } = route;
    app.on(operation.route.method, pattern, async (c) => {
      const input = await readInput(route, c.req.raw, c.req.param());
      const installation = withBaseUrl(c.req.raw, c.env, parts);
      const language = wantsText(c.req.raw) ? acceptedLanguage(c.req.raw) : undefined;
      const caller = { ...c.var.caller, language, typed: isTyped(c.req.raw) };
      const { output, reader } = await callOperation(installation, operation, input, caller);
      const data = dataResponse(route, routes, new URL(c.req.url), output);
      const terminal = terminalOf(c.req.raw);
      const response = wantsText(c.req.raw)
        ? textResponse(data, operation.render(output, { ...reader, terminal }))
        : data;
      // The language and zone of the owner, for clients that render the data.
      response.headers.set("daybook-language", reader.language);
      response.headers.set("daybook-zone", reader.zone);
      return response;
    });
  }
  for (const [pattern, same] of Map.groupBy(routes, (route) => route.pattern)) {
    const methods = same.map(({ operation }) => operation.route.method).join(", ");
    app.all(pattern, () => {
      throw wrongMethod(methods);
    });
  }
}

function addRest(app: Hono<Env>, { metrics, facts, mcp }: Parts): void {
  app.get("/v1/facts", async (c, next) => {
    if (facts === undefined) return next();
    if (!allows(c.var.caller.scopes, "admin")) {
      const message = 'This token may not see the facts of the daemon: it needs the scope "admin".';
      throw new HttpError(403, "refused", message);
    }
    return Response.json(await facts());
  });
  app.get("/metrics", async (c) => {
    if (!allows(c.var.caller.scopes, "read")) {
      const message = 'This token may not see metrics: it needs the scope "read".';
      throw new HttpError(403, "refused", message);
    }
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return new Response((await metrics?.()) ?? "", { headers });
  });
  app.get(attachPath, () => {
    throw new HttpError(426, "invalid", "This path is a WebSocket: send an upgrade request.", {
      upgrade: "websocket",
      connection: "upgrade",
    });
  });
  if (mcp === undefined) return;
  app.all("/mcp", async (c) => mcp(await whole(c.req.raw), c.var.caller));
}

/** The request with its body read and bounded, as a Request that any library takes. */
async function whole(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request;
  const body = await readBytes(request);
  return new Request(url, { method, headers, signal, body: body.length > 0 ? body : null });
}
