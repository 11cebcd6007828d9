import * as z from "zod";
import type { Problem, RouteCall, RouteContext, RouteTable } from "../../kernel/route.ts";
import { allows } from "../../kernel/scope.ts";
import { readJson } from "../../platform/http-body.ts";
import { HttpError, wrongMethod } from "../../platform/http-error.ts";
import { reminderPaths } from "./api-paths.ts";
import { passMax } from "./pass.ts";
import { nagPass } from "./ports.ts";
import { registerByPage, type Registration } from "./sync/register.ts";

const registerPath = "/api/reminder/register-by-page";
const schedulePath = "/api/reminder/schedule/v2";

/** The endpoints of the first reminders, for their apps and crons. */
export function reminderRoutes(context: RouteContext): RouteTable {
  return {
    routes: [
      {
        methods: ["POST"],
        path: registerPath,
        auth: "own",
        handle: (call) => register(context, call),
      },
      {
        methods: ["GET", "POST"],
        path: schedulePath,
        auth: "own",
        handle: (call) => sendDue(context, call),
      },
      {
        methods: ["ALL"],
        path: registerPath,
        auth: "own",
        handle: () => Promise.reject(wrongMethod("POST")),
      },
      {
        methods: ["ALL"],
        path: schedulePath,
        auth: "own",
        handle: () => Promise.reject(wrongMethod("GET, POST")),
      },
    ],
    errors: { under: "/api/reminder/", write: errorBody },
    openapi: reminderPaths,
  };
}

async function register(
  context: RouteContext,
  { request, requestId, findCaller }: RouteCall,
): Promise<Response> {
  // As before, the input is checked before the caller.
  const page = registration(await readJson(request));
  const data = await registerByPage(context, page, await findCaller());
  const { id, sent_count: count, next_alarm_time: nextAt } = data;
  context.log.debug("alarm", { id, step: "registered", count, nextAt, page: page.page_id });
  return success("The page is registered.", data, requestId);
}

async function sendDue(
  context: RouteContext,
  { request, requestId, findCaller }: RouteCall,
): Promise<Response> {
  const { scopes } = await findCaller();
  if (!allows(scopes, "cron")) {
    const message = 'This token may not send due reminders: use one with the scope "cron".';
    throw new HttpError(403, "refused", message);
  }
  // A HEAD request must not send anything.
  if (request.method === "HEAD") throw wrongMethod("GET, POST");
  const limit = fetchLimit(new URL(request.url).searchParams.getAll("fetch_limit"));
  const pass = context.use(nagPass);
  if (pass === undefined) {
    throw new HttpError(
      501,
      "unsupported",
      "This server does not send reminders: call a daemon instead.",
    );
  }
  const { tookMs, ...report } = await pass(limit);
  const data = { ...report, processing_time_ms: tookMs };
  return success("Due reminders are being sent.", data, requestId);
}

const registrationInput = z.object({
  page_id: z.string().min(1),
  title: z.string().nullish(),
  body: z.string().nullish(),
  timezone: z.string().nullish(),
});

function registration(body: unknown): Registration {
  const { success: isValid, data, error } = registrationInput.safeParse(body);
  if (!isValid) {
    const [issue] = error.issues;
    const name = issue?.path.join(".") || "page_id";
    const message =
      name === "page_id" ? '"page_id" is missing: send it.' : `"${name}" must be a string.`;
    throw new HttpError(400, "invalid", message);
  }
  const { page_id, title, body: text, timezone } = data;
  return {
    page_id,
    title: title ?? undefined,
    body: text ?? undefined,
    timezone: timezone ?? undefined,
  };
}

const fetchLimitDefault = 100;

function fetchLimit(given: readonly string[]): number {
  const [text] = given;
  if (text === undefined) return fetchLimitDefault;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (given.length === 1 && limit >= 1 && limit <= passMax) return limit;
  const message = `"fetch_limit" must be a whole number from 1 to ${passMax}.`;
  throw new HttpError(400, "invalid", message);
}

/** The envelope of every answer of the first reminders. */
function success(message: string, data: object, requestId: string): Response {
  return Response.json({ status: 200, message, meta: { requestId }, data });
}

function errorBody(
  problem: Problem,
  { requestId, path }: { readonly requestId: string; readonly path: string },
): { status: number; body: object } {
  const status = problem.status === 422 ? 400 : problem.status;
  const errorCode = ownCode(status, path) ?? errorCodes[status] ?? "INTERNAL_ERROR";
  const body = { status, errorCode, message: problem.detail, meta: { requestId } };
  return { status, body };
}

const errorCodes: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "CONFLICT",
  413: "TOO_LARGE",
  415: "INVALID_REQUEST",
  429: "TOO_MANY_REQUESTS",
  501: "NOT_SUPPORTED",
  503: "UNAVAILABLE",
  504: "UNKNOWN",
};

function ownCode(status: number, path: string): string | undefined {
  if (status === 404 && path === registerPath) return "PAGE_NOT_FOUND";
  return status >= 500 && path === schedulePath ? "SCHEDULER_FAILED" : undefined;
}
