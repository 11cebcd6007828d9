import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { ask } from "../../kernel/ask.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import { allows } from "../../kernel/scope.ts";
import { attachPath } from "./admission.ts";
import { readBytes } from "./body.ts";
import type { Browsers } from "./browser-sessions.ts";
import type { Callers, Peer } from "./callers.ts";
import type { Failures } from "./guard.ts";
import { addHooks } from "./hooks.ts";
import { addCallback, addPing } from "./job-reports.ts";
import type { LoginPort } from "./login.ts";
import { openApi } from "./openapi.ts";
import type { HttpFaceOptions } from "./options.ts";
import { homePage, languageOf, lostPage } from "./page.ts";
import { HttpError } from "./problem.ts";
import { readInput } from "./request-input.ts";
import { answerWith, asText, wantsText } from "./response.ts";
import { pathUnder, routesOf } from "./route.ts";
import { addReminders } from "./seed-reminders.ts";
import { addWorkspaces } from "./seed-workspaces.ts";

interface Parts extends HttpFaceOptions {
  callers: Callers;
  browsers: Browsers;
  failures: Failures;
}

interface Env {
  Bindings: Peer;
  Variables: { caller: Caller };
}

/** First what is open to everybody; whoever comes further is known. */
export function router(parts: Parts): (request: Request, peer: Peer) => Promise<Response> {
  const app = new Hono<Env>({
    getPath: (request, options) =>
      pathUnder(options?.env?.basePath ?? parts.basePath ?? "", getPath(request)),
  });
  app.onError((error) => {
    throw error; // the face answers it
  });
  app.notFound((c) => {
    throw new HttpError(404, "not_found", `There is nothing at ${c.req.path}: see /openapi.json.`);
  });
  addOpen(app, parts);
  app.use(async (c, next) => {
    c.set("caller", await parts.callers.find(c.req.raw, c.env));
    await next();
  });
  addOperations(app, parts);
  addWorkspaces(app, parts);
  addOthers(app, parts);
  return async (request, peer) => app.fetch(request, peer);
}

function addOpen(app: Hono<Env>, parts: Parts): void {
  const { health, operations, version } = parts;
  let api: string | undefined; // most are never asked for it
  const said = (isWell: boolean): Response =>
    new Response(isWell ? "ok\n" : "not ok\n", { status: isWell ? 200 : 503 });
  app.get("/livez", () => said(health.live()));
  app.get("/readyz", async () => said(await health.ready().catch(() => false)));
  app.get("/openapi.json", () => {
    api ??= JSON.stringify(openApi(operations, version));
    return new Response(api, { headers: { "content-type": "application/json" } });
  });
  const { login: port } = parts;
  if (port !== undefined) {
    app.get("/login", async (c) => {
      // A look ahead (HEAD) must not use up the code.
      if (c.req.method !== "GET") throw wrongMethod(["GET"]);
      return login(c.req.raw, c.env, { ...parts, login: port });
    });
  }
  addPing(app, parts);
  addCallback(app, parts);
  addReminders(app, parts);
  addHooks(app, parts);
  // With its own signature and its own bound for a body.
  app.all("/chats/:name", async (c) => {
    const answer = await parts.chats?.(c.req.param("name"), c.req.raw);
    if (answer !== undefined) return answer;
    throw new HttpError(404, "not_found", "No such chat is told here: see docs/config.md.");
  });
}

async function login(
  request: Request,
  peer: Peer,
  parts: Parts & { login: LoginPort },
): Promise<Response> {
  const { browsers, callers, failures } = parts;
  const { address = "" } = peer;
  const language = languageOf(request);
  const code = new URL(request.url).searchParams.get("code");
  if (code !== null) {
    failures.check(address);
    const caller = await parts.login.redeem(code);
    if (caller !== undefined && (await callers.mayStay(caller))) {
      const answer = await homePage(parts, caller, language);
      answer.headers.set("set-cookie", browsers.enter(caller, request));
      return answer;
    }
  }
  // The page again, by whoever is in already.
  const inside = browsers.find(request);
  if (inside !== undefined && (await callers.mayStay(inside))) {
    return homePage(parts, inside, language);
  }
  if (code !== null) failures.count(address);
  return lostPage(language);
}

/** Who was not told where others reach us says it as this request did. */
function deskAt(
  request: Request,
  peer: Peer,
  { installation, basePath = "" }: Parts,
): Installation {
  if (URL.canParse(installation.baseUrl ?? "")) return installation;
  return { ...installation, baseUrl: new URL(request.url).origin + (peer.basePath ?? basePath) };
}

function addOperations(app: Hono<Env>, parts: Parts): void {
  const { operations } = parts;
  const routes = operations.flatMap(routesOf);
  for (const route of routes) {
    const { operation, pattern } = route;
    app.on(operation.route.method, pattern, async (c) => {
      const input = await readInput(route, c.req.raw, c.req.param());
      const installation = deskAt(c.req.raw, c.env, parts);
      const { output, reader } = await ask(installation, operation, input, c.var.caller);
      const data = answerWith(route, routes, new URL(c.req.url), output);
      const answer = wantsText(c.req.raw) ? asText(data, operation.render(output, reader)) : data;
      // How the owner reads, for whoever renders the answer.
      answer.headers.set("daybook-language", reader.language);
      answer.headers.set("daybook-zone", reader.zone);
      return answer;
    });
  }
  for (const [pattern, same] of Map.groupBy(routes, (route) => route.pattern)) {
    const methods = same.map(({ operation }) => operation.route.method);
    app.all(pattern, () => {
      throw wrongMethod(methods);
    });
  }
}

function addOthers(app: Hono<Env>, { metrics, mcp }: Parts): void {
  app.get("/metrics", async (c) => {
    if (!allows(c.var.caller.scopes, "read")) {
      const message = 'This token may not see metrics: it needs the scope "read".';
      throw new HttpError(403, "refused", message);
    }
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return new Response((await metrics?.()) ?? "", { headers });
  });
  app.get(attachPath, () => {
    throw new HttpError(426, "invalid", "This is a WebSocket: ask for the upgrade.", {
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
  return new Request(url, { method, headers, signal, ...(body.length > 0 ? { body } : {}) });
}

function wrongMethod(methods: readonly string[]): HttpError {
  const allow = methods.join(", ");
  return new HttpError(405, "unsupported", `This path takes ${allow}.`, { allow });
}
