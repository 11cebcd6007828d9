import { is } from "../../kernel/kind.ts";
import type { Installation } from "../../kernel/operation.ts";
import { untilFresh } from "../../kernel/own-book.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { isSigned } from "../../platform/signature.ts";
import { taskKind } from "./kind.ts";
import { emptyOutcome } from "./outcome.ts";

/** The end of a run elsewhere, as its receiver reports it. */
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
 * A callback as it came in. It is signed by Standard Webhooks with the secret of its run, and its
 * `webhook-id` is the run's id, so that a callback of one run is never taken for another: the
 * caller compares. Throws `refused` when it is not theirs or too old, `invalid` when it cannot be read.
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
  const callback = callbackOf(parse(body));
  if (callback !== undefined) return { runId: id, callback };
  throw new DaybookError("invalid", `The callback cannot be read: send ${shape}.`);
}

/** The callback in a body, if it can be read. */
export function callbackOf(parsed: Json | undefined): Callback | undefined {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  const { status, output, message } = parsed as { readonly [name: string]: Json | undefined };
  if (status !== "completed" && status !== "failed") return undefined;
  if (message !== undefined && message !== null && typeof message !== "string") return undefined;
  return {
    status,
    ...(output === undefined || output === null ? {} : { output }),
    ...(typeof message === "string" ? { message } : {}),
  };
}

function parse(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

/** A callback as it was received. */
interface CallbackRequest {
  readonly owner: string;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** No callback is signed with it: a missing run answers as one whose secret is unknown. */
const unknownSecret = "whsec_";

/** Receives the end of a run elsewhere. Of two callbacks the first counts. */
export async function receiveCallback(
  { ledger, now }: Pick<Installation, "ledger" | "now">,
  { owner, id, body, headers }: CallbackRequest,
): Promise<void> {
  const book = ledger.of(owner, "callback");
  await untilFresh(async () => {
    const record = await book.get(id);
    const { runId, callback } = readCallback(
      body,
      headers,
      secretOf(record) ?? unknownSecret,
      now(),
    );
    if (!is(taskKind, record) || runId !== id) {
      throw new DaybookError("refused", "The callback is of another run: look at its address.");
    }
    if (record.endedAt !== null) {
      const sentence = "The run has ended: what is told of it now is not taken.";
      throw new DaybookError("ended", sentence, { details: { state: record.state } });
    }
    if (record.outcome?.callback !== undefined) return;
    // Under a lease the wake is not used: the settle to come sees that the record moved.
    await book.edit({
      kind: "task",
      id,
      ifRevision: record.revision,
      outcome: { ...(record.outcome ?? emptyOutcome), callback: { ...callback } },
      wakeAt: now(),
      note: "its end was told",
    });
  });
}

function secretOf(record: AnyRecord | undefined): string | undefined {
  if (!is(taskKind, record) || record.body.name !== "http") return undefined;
  const { secret } = (record.body.input ?? {}) as { secret?: unknown };
  return typeof secret === "string" ? secret : undefined;
}
