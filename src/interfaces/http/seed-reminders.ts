import type { Hono } from "hono";
import * as z from "zod";
import {
  type Pass,
  passMax,
  registerByPage,
  type Registration,
} from "../../features/nags/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { allows } from "../../kernel/scope.ts";
import { readJson } from "./body.ts";
import type { Callers, Peer } from "./callers.ts";
import { HttpError, wrongMethod } from "./problem.ts";
import { registerPath, schedulePath, success } from "./seed-envelopes.ts";

interface Parts {
  installation: Installation;
  callers: Callers;
  /** Absent where nothing can be sent from. */
  nagPass?: Pass;
}

/** The endpoints of the first reminders, for their apps and crons. */
export function addSeedReminders<Env extends { Bindings: Peer }>(
  app: Hono<Env>,
  parts: Parts,
): void {
  app.post(registerPath, async (c) => {
    // As before, the input is checked before the caller.
    const request = registration(await readJson(c.req.raw));
    const caller = await parts.callers.find(c.req.raw, c.env);
    const data = await registerByPage(parts.installation, request, caller);
    return success("The page is registered.", data, idOf(c.env));
  });
  app.on(["GET", "POST"], schedulePath, async (c) => {
    const caller = await parts.callers.find(c.req.raw, c.env);
    if (!allows(caller.scopes, "cron")) {
      const message = 'This token may not let reminders be said: it needs the scope "cron".';
      throw new HttpError(403, "refused", message);
    }
    // A HEAD request must not send anything.
    if (c.req.method === "HEAD") throw wrongMethod("GET, POST");
    const limit = fetchLimit(c.req.queries("fetch_limit"));
    return success("What was due is on its way.", await scheduled(parts, limit), idOf(c.env));
  });
  app.all(registerPath, () => {
    throw wrongMethod("POST");
  });
  app.all(schedulePath, () => {
    throw wrongMethod("GET, POST");
  });
}

const registrationInput = z.object({
  page_id: z.string().min(1),
  title: z.string().nullish(),
  body: z.string().nullish(),
  timezone: z.string().nullish(),
});

function registration(body: unknown): Registration {
  const { success: isRight, data, error } = registrationInput.safeParse(body);
  if (!isRight) {
    const [issue] = error.issues;
    const name = issue?.path.join(".") || "page_id";
    const message =
      name === "page_id" ? '"page_id" is missing: send it.' : `"${name}" must be a text.`;
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

const fetchLimitUsual = 100;

function fetchLimit(given: readonly string[] = []): number {
  if (given.length === 0) return fetchLimitUsual;
  const [text = ""] = given;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (given.length === 1 && limit >= 1 && limit <= passMax) return limit;
  const message = `"fetch_limit" must be a whole number from 1 to ${passMax}.`;
  throw new HttpError(400, "invalid", message);
}

async function scheduled({ nagPass }: Parts, limit: number): Promise<object> {
  if (nagPass === undefined) {
    throw new HttpError(501, "unsupported", "Nothing is done from here: ask a daemon.");
  }
  const { tookMs, ...report } = await nagPass(limit);
  return { ...report, processing_time_ms: tookMs };
}

function idOf({ requestId = "" }: Peer): string {
  return requestId;
}
