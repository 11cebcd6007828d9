import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { isSigned } from "../../platform/signature.ts";

/** How a run ended that somebody else ran, as they say it. */
export interface Callback {
  readonly status: "completed" | "failed";
  /** What it said. */
  readonly output?: Json;
  /** Why it failed. */
  readonly message?: string;
}

const ageSecondsMax = 300;
const shape = `{"status": "completed" | "failed", "output": …, "message": "why it failed"}`;

/**
 * A callback as it came in. It is signed by Standard Webhooks with the secret of its run, and its
 * `webhook-id` is the run's id, so that what is said of one run is never taken for another: the
 * caller compares. Throws `refused` when it is not theirs or too old, `invalid` when it says nothing.
 */
export function readCallback(
  body: string,
  headers: Readonly<Record<string, string | undefined>>,
  secret: string,
  now: number,
): { readonly runId: string; readonly callback: Callback } {
  const id = headers["webhook-id"] ?? "";
  const sentAt = headers["webhook-timestamp"] ?? "";
  const header = headers["webhook-signature"] ?? "";
  if (id === "" || !/^\d{1,12}$/.test(sentAt) || header === "") {
    const which = "webhook-id, webhook-timestamp and webhook-signature";
    throw new DaybookError("refused", `The callback is not signed: send ${which}.`);
  }
  const timestamp = Number(sentAt);
  if (!isSigned(secret, { id, timestamp, body }, header)) {
    const toDo = "sign it with the secret that the request was signed with";
    throw new DaybookError("refused", `The signature of the callback is wrong: ${toDo}.`);
  }
  if (Math.abs(now / 1_000 - timestamp) > ageSecondsMax) {
    const toDo = "sign it when it is sent, and check the clock";
    throw new DaybookError("refused", `The callback is over five minutes off: ${toDo}.`);
  }
  const callback = callbackOf(parsed(body));
  if (callback !== undefined) return { runId: id, callback };
  throw new DaybookError("invalid", `The callback cannot be read: send ${shape}.`);
}

/** What a callback says, if it says anything that can be read. */
export function callbackOf(said: Json | undefined): Callback | undefined {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return undefined;
  const { status, output, message } = said as { readonly [name: string]: Json | undefined };
  if (status !== "completed" && status !== "failed") return undefined;
  if (message !== undefined && message !== null && typeof message !== "string") return undefined;
  return {
    status,
    ...(output === undefined || output === null ? {} : { output }),
    ...(typeof message === "string" ? { message } : {}),
  };
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}
