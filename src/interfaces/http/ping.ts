import type { Hono } from "hono";
import { pingByToken } from "../../features/schedules/operations/ping.ts";
import { endOf, pingBytesMax } from "../../features/schedules/ping.ts";
import type { Installation } from "../../kernel/operation.ts";
import { readTail } from "./body.ts";
import type { Peer } from "./callers.ts";
import type { Failures } from "./failures.ts";
import { HttpError } from "./problem.ts";

/** More is no report. One byte more than is kept tells that there was more. */
const sizes = { keepBytes: pingBytesMax + 1, bytesMax: 64 * 2 ** 20 };

/** Where jobs report: the address itself is the right to. */
export function addPing<Env extends { Bindings: Peer }>(
  app: Hono<Env>,
  { installation, failures }: { installation: Installation; failures: Failures },
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

/** What the log may say of a path: a token stands in this one. */
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
