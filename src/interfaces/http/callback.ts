import type { Hono } from "hono";
import { receiveCallback } from "../../features/tasks/callback.ts";
import type { Installation } from "../../kernel/operation.ts";
import { readBytes } from "./body.ts";
import type { Peer } from "./callers.ts";

/** Where the receiver of a run says how it ended: its signature is the right to. */
export function addCallback<Env extends { Bindings: Peer }>(
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
