import type { Sent } from "../../features/notifications/receipt.ts";
import { messageOf, toErrorData } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { refusalOf, type HttpAnswer, type Reading } from "./http-answer.ts";

export interface Posting {
  readonly fetch: SafeFetch;
  readonly url: string;
  /** POST unless told. */
  readonly method?: "POST" | "PATCH";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  now(): number;
  /** What must not be repeated, whatever the peer says. */
  readonly secrets: readonly string[];
  /** What to do about a status. */
  readonly advice?: Readonly<Record<number, string>>;
  /** Reads a refusal that means something of its own here. */
  refused?(answer: HttpAnswer, reading: Reading): Sent | undefined;
}

/** Posts once. `accepted` reads an answer of success; everything else means the same on any channel. */
export async function post(
  posting: Posting,
  accepted: (answer: HttpAnswer, reading: Reading) => Sent,
): Promise<Sent> {
  const { fetch, url, method = "POST", headers, body, signal, secrets } = posting;
  let answer: HttpAnswer;
  try {
    const json = { "content-type": "application/json", "user-agent": "daybook", ...headers };
    answer = await fetch({ url, method, headers: json, body, signal });
  } catch (error) {
    // An answer that is too long is an answer: what it said first is its status.
    const status = toErrorData(error).details["status"];
    if (typeof status !== "number") return faultOf(error, posting);
    answer = { status, headers: {}, body: new Uint8Array() };
  }
  const reading = { now: posting.now(), secrets, advice: posting.advice };
  const own = posting.refused?.(answer, reading);
  return own ?? refusalOf(answer, reading) ?? accepted(answer, reading);
}

/** What a request means that got no answer: whether it may have arrived is all that is known. */
export function faultOf(
  error: unknown,
  { signal, secrets }: Pick<Posting, "signal" | "secrets">,
): Sent {
  const reason = oneLine(hide(messageOf(error), secrets), 500);
  const { code, details } = toErrorData(error);
  if (details["sent"] !== false) return { result: "unknown", reason };
  if (code === "invalid" || code === "refused") return { result: "rejected", reason };
  // A request that we took back says nothing about its receiver.
  return { result: "retry", reason, ...(signal.aborted ? {} : { destinationDown: true }) };
}
