import type { RouteCall, RouteContext, RouteTable } from "../../kernel/route.ts";
import { readTail } from "../../platform/http-body.ts";
import { HttpError } from "../../platform/http-error.ts";
import { pingByToken } from "./operations/ping.ts";
import { endOf, pingBytesMax } from "./ping.ts";

/** A longer body is refused. One byte more than is kept shows that the output was cut. */
const sizes = { keepBytes: pingBytesMax + 1, bytesMax: 64 * 2 ** 20 };

/** Where watched jobs report: the secret token in the path authorizes them. */
export function pingRoutes(context: RouteContext): RouteTable {
  return {
    routes: [
      {
        methods: ["GET", "POST"],
        path: "/ping/:token/:what?",
        secret: "token",
        auth: "own",
        handle: (call) => receivePing(context, call),
      },
    ],
    openapi: pingPaths,
  };
}

async function receivePing(
  context: RouteContext,
  { request, params, countFailure }: RouteCall,
): Promise<Response> {
  const exit = exitOf(params["what"]);
  const ping = exit === "start" ? exit : { exit, ...endOf(await readTail(request, sizes)) };
  if (await pingByToken(context, params["token"] ?? "", ping)) return new Response("ok\n");
  countFailure();
  throw new HttpError(404, "not_found", "Nobody waits for this: look at the address.");
}

function exitOf(what: string | undefined): number | null | "start" {
  if (what === undefined) return 0;
  if (what === "start") return "start";
  if (what === "fail") return null;
  if (/^\d{1,3}$/.test(what) && Number(what) <= 255) return Number(what);
  const toDo = "End the address with /start, /fail, an exit status, or nothing.";
  throw new HttpError(404, "not_found", toDo);
}

type Schema = Readonly<Record<string, unknown>>;

function bothMethods(
  name: string,
  path: { readonly summary: string; readonly parameters: readonly Schema[] },
): Schema {
  const requestBody = {
    required: false,
    content: { "text/plain": { schema: { type: "string" } } },
  };
  const common = { ...path, security: [], responses };
  return {
    get: { operationId: name, ...common },
    post: { operationId: `${name}_post`, ...common, requestBody },
  };
}

const token = inPath("token", { type: "string" }, "As `ping_url` of a watch has it.");
const what = inPath(
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

export const pingPaths = {
  "/ping/{token}": bothMethods("ping", {
    summary:
      "It ended well. What is posted is kept as its output: the last 64 KiB of 64 MiB at most.",
    parameters: [token],
  }),
  "/ping/{token}/{what}": bothMethods("ping_what", {
    summary: "It began (`start`), failed (`fail`), or ended with this exit status (0 to 255).",
    parameters: [token, what],
  }),
};
