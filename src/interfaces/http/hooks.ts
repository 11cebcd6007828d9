import type { Hono } from "hono";
import { hookEvent } from "../../adapters/sources/hook-event.ts";
import { verifyFault, type Hook } from "../../adapters/sources/webhook.ts";
import { isNews, type Interest } from "../../features/events/filter.ts";
import { draftOf } from "../../features/events/poll-result.ts";
import type { Installation } from "../../kernel/operation.ts";
import { readBytes } from "./body.ts";
import type { Peer } from "./callers.ts";
import type { Failures } from "./guard.ts";
import { HttpError } from "./problem.ts";

/** A hook, in whose book its events are written, and which of them are wanted. */
export interface HookHere extends Hook, Interest {
  readonly owner: string;
  /** The installation's own owner. */
  readonly home: string;
}

export interface HooksOptions {
  installation: Pick<Installation, "ledger" | "now" | "randomBytes">;
  failures: Failures;
  /** By its name; nothing when there is none. */
  hooks?: ((name: string) => HookHere | undefined) | undefined;
}

/** Services tell more than an event needs; what is kept of it has a bound of its own. */
const bytesMax = 1024 * 1024;
const nameBytes = 8;

/** Where other services tell what happened: a signature, or a token of their own, is the right to. */
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
    const post = { headers: c.req.header(), body, now: installation.now() };
    const fault = verifyFault(hook, post);
    if (fault !== undefined) {
      const { address = "" } = c.env;
      failures.check(address);
      failures.count(address);
      throw new HttpError(401, "refused", `This is not taken: ${fault}.`);
    }
    const chance = Buffer.from(installation.randomBytes(nameBytes)).toString("hex");
    const event = hookEvent(hook, post, chance);
    if (event === undefined || !isNews(event, hook)) return answer(200, { event: null });
    const { owner, home, name } = hook;
    const draft = draftOf(event, { owner, home, now: post.now, source: name });
    // Told twice, the first counts, and the answer is the same: whoever lost it may ask again.
    const { id } = await installation.ledger.of(owner, `hook:${name}`).append(draft);
    return answer(202, { event: id });
  });
}

function answer(status: number, body: object): Response {
  const headers = { "content-type": "application/json" };
  return new Response(`${JSON.stringify(body)}\n`, { status, headers });
}
