import type { Hono } from "hono";
import { hookEvent } from "../../adapters/sources/hook-event.ts";
import { verifyFault, type Hook } from "../../adapters/sources/webhook.ts";
import { isWanted, type EventFilter, draftOf } from "../../features/events/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { readBytes } from "./body.ts";
import type { Peer } from "./callers.ts";
import type { FailureLimit } from "./guard.ts";
import { HttpError } from "./problem.ts";

/** A hook, the book that its events are written to, and the filter for them. */
export interface ConfiguredHook extends Hook, EventFilter {
  readonly owner: string;
  /** The owner of the installation. */
  readonly home: string;
}

/** Receives a request for a chat service, by its name; undefined when there is none of that name. */
export type ChatReceiver = (name: string, request: Request) => Promise<Response> | undefined;

export interface HooksOptions {
  installation: Pick<Installation, "ledger" | "now" | "randomBytes">;
  failures: FailureLimit;
  /** The hook of a name; undefined when there is none. */
  hooks?: ((name: string) => ConfiguredHook | undefined) | undefined;
}

/** Services send more than an event keeps; the event has a smaller limit of its own. */
const bytesMax = 1024 * 1024;
const nameBytes = 8;

/** Where services post events: a signature, or a token of the hook, authorizes them. */
export function addHooks<Env extends { Bindings: Peer }>(
  app: Hono<Env>,
  { installation, failures, hooks }: HooksOptions,
): void {
  app.post("/hooks/:name", async (c) => {
    const hook = hooks?.(c.req.param("name"));
    if (hook === undefined) {
      throw new HttpError(404, "not_found", "No such hook is set here: see docs/config.md.");
    }
    const body = await readBytes(c.req.raw, bytesMax);
    const request = { headers: c.req.header(), body, now: installation.now() };
    const fault = verifyFault(hook, request);
    if (fault !== undefined) {
      const { address = "" } = c.env;
      failures.check(address);
      failures.count(address);
      throw new HttpError(401, "refused", `This is not taken: ${fault}.`);
    }
    const fallbackId = Buffer.from(installation.randomBytes(nameBytes)).toString("hex");
    const event = hookEvent(hook, request, fallbackId);
    if (event === undefined || !isWanted(event, hook)) return answer(200, { event: null });
    const { owner, home, name } = hook;
    const draft = draftOf(event, { owner, home, now: request.now, source: name });
    // A repeated post finds the event that the first one wrote, and gets the same answer.
    const { id } = await installation.ledger.of(owner, `hook:${name}`).append(draft);
    return answer(202, { event: id });
  });
}

/** Where chat services post messages: each checks its own signature, and bounds its own body. */
export function addChats<Env extends { Bindings: Peer }>(
  app: Hono<Env>,
  { chats }: { chats?: ChatReceiver | undefined },
): void {
  app.all("/chats/:name", async (c) => {
    const response = await chats?.(c.req.param("name"), c.req.raw);
    if (response !== undefined) return response;
    throw new HttpError(404, "not_found", "No such chat is told here: see docs/config.md.");
  });
}

function answer(status: number, body: object): Response {
  const headers = { "content-type": "application/json" };
  return new Response(`${JSON.stringify(body)}\n`, { status, headers });
}
