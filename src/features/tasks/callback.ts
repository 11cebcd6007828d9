import { retryIfStale } from "../../kernel/book.ts";
import { is } from "../../kernel/kind.ts";
import type { Installation } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present, type Json } from "../../platform/json.ts";
import { isSigned } from "../../platform/signature.ts";
import { taskKind } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";

/** The end of a run that happened elsewhere, as reported by the service that ran it. */
export interface Callback {
  readonly status: "completed" | "failed";
  /** Its output. */
  readonly output?: Json;
  /** Why it failed. */
  readonly message?: string;
}

const ageSecondsMax = 300;
const shape = `{"status": "completed" | "failed", "output": …, "message": "why it failed"}`;

/**
 * Verifies and parses a callback. It is signed by Standard Webhooks with the secret of its run. Its `webhook-id` is
 * the id of the run, and the caller compares it, so that a callback of one run never ends another. Throws `refused`
 * when the signature is wrong or old, `invalid` when the body cannot be read.
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
    const headers = "webhook-id, webhook-timestamp and webhook-signature";
    throw new DaybookError("refused", `The callback is not signed: send the headers ${headers}.`);
  }
  const timestamp = Number(sentAt);
  if (!isSigned(secret, { id, timestamp, body }, header)) {
    const advice = "sign it with the secret that signed the request";
    throw new DaybookError("refused", `The signature of the callback is wrong: ${advice}.`);
  }
  if (Math.abs(now / 1_000 - timestamp) > ageSecondsMax) {
    const advice = "sign it when you send it, and check the clock";
    const sentence = `The timestamp of the callback is over five minutes off: ${advice}.`;
    throw new DaybookError("refused", sentence);
  }
  const callback = callbackOf(parse(body));
  if (callback !== undefined) return { runId: id, callback };
  throw new DaybookError("invalid", `The callback cannot be read: send ${shape}.`);
}

/** The callback in a parsed body; undefined if it is not one. */
export function callbackOf(parsed: Json | undefined): Callback | undefined {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  const { status, output, message } = parsed as { readonly [name: string]: Json | undefined };
  if (status !== "completed" && status !== "failed") return undefined;
  if (message !== undefined && message !== null && typeof message !== "string") return undefined;
  return present({ status, output: output ?? undefined, message: message ?? undefined });
}

function parse(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

/** A callback request as received. */
interface CallbackRequest {
  readonly owner: string;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** No callback is signed with it: a missing run is refused like a wrong signature. */
const unknownSecret = "whsec_";

/** Stores the end of a run that a callback reports. Of two callbacks, the first counts. */
export async function receiveCallback(
  { ledger, now }: Pick<Installation, "ledger" | "now">,
  { owner, id, body, headers }: CallbackRequest,
): Promise<void> {
  const book = ledger.of(owner, "callback");
  await retryIfStale(async () => {
    const record = await book.get(id);
    const { runId, callback } = readCallback(
      body,
      headers,
      secretOf(record) ?? unknownSecret,
      now(),
    );
    if (!is(taskKind, record) || runId !== id) {
      throw new DaybookError(
        "refused",
        "The callback is for another run: check the URL that it is sent to.",
      );
    }
    if (record.endedAt !== null) {
      const sentence = `The run has ended (${record.state}): a callback can no longer change it.`;
      throw new DaybookError("ended", sentence, { details: { state: record.state } });
    }
    if (record.outcome?.callback !== undefined) return;
    // Under a lease the wake is ignored: the next settle sees that the record has changed.
    await book.edit({
      kind: "task",
      id,
      ifRevision: record.revision,
      outcome: { ...(record.outcome ?? emptyOutcome), callback: { ...callback } },
      wakeAt: now(),
      note: "a callback reported its end",
    });
  });
}

function secretOf(record: AnyRecord | undefined): string | undefined {
  if (!is(taskKind, record) || record.body.name !== "http") return undefined;
  const { secret } = (record.body.input ?? {}) as { secret?: unknown };
  return typeof secret === "string" ? secret : undefined;
}
