import type { Terminal } from "../../platform/table.ts";
import { hasInput, type Route } from "./route.ts";

/** An operation's output as JSON, with status and headers. */
export function dataResponse(
  route: Route,
  routes: readonly Route[],
  url: URL,
  output: unknown,
): Response {
  const facts: Readonly<Record<string, unknown>> = isObject(output) ? output : {};
  const isNew = route.operation.effect === "adds" && facts["fresh"] !== false;
  return Response.json(output ?? null, {
    status: isNew && route.operation.route.method === "POST" ? 201 : 200,
    headers: {
      ...(isNew ? located(route, routes, url, facts["id"]) : {}),
      ...(typeof facts["revision"] === "number" ? { etag: `"${facts["revision"]}"` } : {}),
      ...paged(route, url, facts["next"]),
    },
  });
}

/** The command line requests rendered text, so that it loads no operation itself. */
export function wantsText(request: Request): boolean {
  return request.headers.get("daybook-format") === "text";
}

/** A person typed the request, as on the command line. */
export function isTyped(request: Request): boolean {
  return request.headers.get("daybook-typed") === "true";
}

/** A browser that opens an address. A program asks for anything, or for JSON. */
export function wantsPage(request: Request): boolean {
  return /\btext\/html\b/i.test(request.headers.get("accept") ?? "");
}

/** The terminal that the text is for; undefined: the header is missing. */
export function terminalOf(request: Request): Terminal | undefined {
  const given = request.headers.get("daybook-terminal") ?? "";
  const [, columns, color] = /^columns=(\d{1,4}|all)(; color)?$/.exec(given) ?? [];
  if (columns === undefined) return undefined;
  return { columns: columns === "all" ? null : Number(columns), color: color !== undefined };
}

/** The same response as rendered text. */
export function textResponse({ status, headers }: Response, text: string): Response {
  const all = new Headers(headers);
  all.set("content-type", "text/plain; charset=utf-8");
  all.set("daybook-format", "text");
  return new Response(text, { status, headers: all });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The path of a new record, if it has one. */
function located(
  route: Route,
  routes: readonly Route[],
  url: URL,
  id: unknown,
): { location?: string } {
  if (typeof id !== "string") return {};
  const reads = routes.some(
    ({ pattern, params, operation }) =>
      operation.route.method === "GET" && pattern === `${route.pattern}/:${params.at(-1)}`,
  );
  return reads ? { location: `${url.pathname}/${encodeURIComponent(id)}` } : {};
}

function paged({ operation }: Route, url: URL, next: unknown): { link?: string } {
  if (typeof next !== "string" || !hasInput(operation, "after")) return {};
  const query = new URLSearchParams(url.search);
  query.set("after", next);
  return { link: `<${url.pathname}?${query.toString()}>; rel="next"` };
}
