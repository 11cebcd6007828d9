import type { RouteCall, RouteContext, RouteTable } from "../../kernel/route.ts";
import { readBytes } from "../../platform/http-body.ts";
import { HttpError } from "../../platform/http-error.ts";
import { eventHooks } from "./hook.ts";
import { draftOf, isWanted } from "./poll-result.ts";

/** Where services post events: a signature, or a token of the hook, authorizes them. */
export function hookRoutes(context: RouteContext): RouteTable {
  return {
    routes: [
      {
        methods: ["POST"],
        path: "/hooks/:name",
        auth: "own",
        handle: (call) => receiveEvent(context, call),
      },
    ],
  };
}

/** Services send more than an event keeps; the event has a smaller limit of its own. */
const bytesMax = 1024 * 1024;
const nameBytes = 8;

async function receiveEvent(
  { ledger, now, randomBytes, use }: RouteContext,
  { request, params, countFailure }: RouteCall,
): Promise<Response> {
  const hook = use(eventHooks)(params["name"] ?? "");
  if (hook === undefined) {
    throw new HttpError(404, "not_found", "No such hook is set here: see docs/config.md.");
  }
  const headers = Object.fromEntries(request.headers);
  const body = await readBytes(request, bytesMax);
  const randomId = Buffer.from(randomBytes(nameBytes)).toString("hex");
  const receivedAt = now();
  const read = hook.read({ headers, body, now: receivedAt, randomId });
  if ("refused" in read) {
    countFailure();
    throw new HttpError(401, "refused", `This is not taken: ${read.refused}.`);
  }
  const { event } = read;
  if (event === undefined || !isWanted(event, hook)) return answer(200, { event: null });
  const { owner, home, name } = hook;
  const draft = draftOf(event, { owner, home, now: receivedAt, source: name });
  // A repeated post finds the event that the first one wrote, and gets the same answer.
  const { id } = await ledger.of(owner, `hook:${name}`).append(draft);
  return answer(202, { event: id });
}

function answer(status: number, body: object): Response {
  const headers = { "content-type": "application/json" };
  return new Response(`${JSON.stringify(body)}\n`, { status, headers });
}
