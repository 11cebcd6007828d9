import type { Hono } from "hono";
import { pingByToken, endOf, pingBytesMax } from "../../features/schedules/index.ts";
import { receiveCallback } from "../../features/tasks/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { readTail, readBytes } from "./body.ts";
import type { Peer } from "./callers.ts";
import type { FailureLimit } from "./guard.ts";
import { HttpError } from "./problem.ts";

/** A longer body is refused. One byte more than is kept shows that the output was cut. */
const sizes = { keepBytes: pingBytesMax + 1, bytesMax: 64 * 2 ** 20 };

/** Where jobs report: the secret address authorizes them. */
export function addPings<Env extends { Bindings: Peer }>(
  app: Hono<Env>,
  { installation, failures }: { installation: Installation; failures: FailureLimit },
): void {
  app.on(["GET", "POST"], "/ping/:token/:what?", async (c) => {
    const { token = "", what } = c.req.param() as { token?: string; what?: string };
    const { address = "" } = c.env;
    const exit = exitOf(what);
    const ping = exit === "start" ? exit : { exit, ...endOf(await readTail(c.req.raw, sizes)) };
    if (await pingByToken(installation, token, ping)) return new Response("ok\n");
    failures.check(address);
    failures.count(address);
    throw new HttpError(404, "not_found", "Nobody waits for this: look at the address.");
  });
}

/** The path without its token, for the log. */
export function withoutToken(path: string): string {
  return path.replace(/^(.*\/ping\/)[^/]+/, "$1…");
}

function exitOf(what: string | undefined): number | null | "start" {
  if (what === undefined) return 0;
  if (what === "start") return "start";
  if (what === "fail") return null;
  if (/^\d{1,3}$/.test(what) && Number(what) <= 255) return Number(what);
  throw new HttpError(
    404,
    "not_found",
    "End the address with /start, /fail, an exit status, or nothing.",
  );
}

type Schema = Readonly<Record<string, unknown>>;

/** The ping addresses in OpenAPI: they are no operations, since the address authorizes them. */
export function pingPaths(): Readonly<Record<string, Readonly<Record<string, Schema>>>> {
  const ended =
    "It ended well. What is posted is kept as its output: the last 64 KiB of 64 MiB at most.";
  const other = "It began (`start`), failed (`fail`), or ended with this exit status (0 to 255).";
  return {
    "/ping/{token}": bothMethods("ping", ended, [token]),
    "/ping/{token}/{what}": bothMethods("ping_what", other, [token, what]),
  };
}

function bothMethods(
  name: string,
  summary: string,
  parameters: readonly Schema[],
): Readonly<Record<string, Schema>> {
  const path = { summary, parameters, security: [], responses };
  const requestBody = {
    required: false,
    content: { "text/plain": { schema: { type: "string" } } },
  };
  return {
    get: { operationId: name, ...path },
    post: { operationId: `${name}_post`, ...path, requestBody },
  };
}

const token: Schema = inPath("token", { type: "string" }, "As `ping_url` of a watch has it.");
const what: Schema = inPath(
  "what",
  { type: "string", pattern: "^(start|fail|\\d{1,3})$" },
  "`start`, `fail`, or an exit status.",
);

function inPath(name: string, schema: Schema, description: string): Schema {
  return { name, in: "path", required: true, description, schema };
}

const responses: Schema = {
  "200": { description: "Taken.", content: { "text/plain": { schema: { type: "string" } } } },
  default: { $ref: "#/components/responses/Problem" },
};

/** Where the receiver of an HTTP run reports its end: its signature authorizes it. */
export function addCallbacks<Env extends { Bindings: Peer }>(
  app: Hono<Env>,
  { installation }: { installation: Installation },
): void {
  app.post("/callbacks/:owner/:id", async (c) => {
    const { owner, id } = c.req.param();
    const body = new TextDecoder().decode(await readBytes(c.req.raw));
    await receiveCallback(installation, { owner, id, body, headers: c.req.header() });
    return new Response("ok\n");
  });
}
