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
  throw new HttpError(
    404,
    "not_found",
    "There is no watch at this URL: check it for typing errors.",
  );
}

function exitOf(what: string | undefined): number | null | "start" {
  if (what === undefined) return 0;
  if (what === "start") return "start";
  if (what === "fail") return null;
  if (/^\d{1,3}$/.test(what) && Number(what) <= 255) return Number(what);
  const sentence =
    "The URL must end with the token, /start, /fail or an exit status from 0 to 255.";
  throw new HttpError(404, "not_found", sentence);
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

const token = inPath("token", { type: "string" }, "The token in the `ping_url` of a watch.");
const what = inPath(
  "what",
  { type: "string", pattern: "^(start|fail|\\d{1,3})$" },
  "`start`, `fail`, or an exit status.",
);

function inPath(name: string, schema: Schema, description: string): Schema {
  return { name, in: "path", required: true, description, schema };
}

const responses: Schema = {
  "200": {
    description: "The report was received.",
    content: { "text/plain": { schema: { type: "string" } } },
  },
  default: { $ref: "#/components/responses/Problem" },
};

export const pingPaths = {
  "/ping/{token}": bothMethods("ping", {
    summary:
      "Report that the job succeeded. The body, at most 64 MiB, is its output, of which the last 64 KiB are kept.",
    parameters: [token],
  }),
  "/ping/{token}/{what}": bothMethods("ping_what", {
    summary:
      "Report that the job started (`start`), failed (`fail`), or ended with an exit status (0 to 255).",
    parameters: [token, what],
  }),
};
