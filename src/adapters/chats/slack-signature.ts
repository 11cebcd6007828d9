import { createHmac } from "node:crypto";
import { isSame } from "./request.ts";

/** A request that is older, or of a clock that is further off, could be one that somebody kept. */
const windowMs = 5 * 60_000;

/** Whether Slack has signed this body, and lately. `now`: UTC epoch milliseconds. */
export function isSlackSigned(
  { headers }: Request,
  body: string,
  { secret, now }: { secret: string; now: number },
): boolean {
  const seconds = headers.get("x-slack-request-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now - Number(seconds) * 1_000) > windowMs) return false;
  const ours = createHmac("sha256", secret).update(`v0:${seconds}:${body}`).digest("hex");
  return isSame(headers.get("x-slack-signature") ?? "", `v0=${ours}`);
}
