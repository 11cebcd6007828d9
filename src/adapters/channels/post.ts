import type { Sent } from "../../features/notifications/receipt.ts";
import { messageOf, toErrorData } from "../../platform/errors.ts";
import { type SafeFetch, retryAfterMs } from "../../platform/fetch.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";

export interface PostRequest {
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
  refused?(answer: HttpAnswer, reading: ReadContext): Sent | undefined;
}

/** Posts once. `accepted` reads an answer of success; everything else means the same on any channel. */
export async function post(
  posting: PostRequest,
  accepted: (answer: HttpAnswer, reading: ReadContext) => Sent,
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
  { signal, secrets }: Pick<PostRequest, "signal" | "secrets">,
): Sent {
  const reason = oneLine(hide(messageOf(error), secrets), 500);
  const { code, details } = toErrorData(error);
  if (details["sent"] !== false) return { result: "unknown", reason };
  if (code === "invalid" || code === "refused") return { result: "rejected", reason };
  // A request that we took back says nothing about its receiver.
  return { result: "retry", reason, ...(signal.aborted ? {} : { destinationDown: true }) };
}

/** An answer over HTTP, as far as it tells what became of a message. */
export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ReadContext {
  readonly now: number;
  /** What must not be repeated. */
  readonly secrets: readonly string[];
  /** What to do about a status, beside what the receiver says. */
  readonly advice?: Readonly<Record<number, string>> | undefined;
}

const saidCharsMax = 200;

/** Not the message is wrong, but the moment. */
const momentary: readonly number[] = [408, 409, 425, 429];

/** What an answer without success means; nothing when it is a success. */
function refusalOf(answer: HttpAnswer, reading: ReadContext): Sent | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return { result: "rejected", reason: "the receiver is gone" };
  if (status < 400) {
    const toDo = "redirects are not followed, so set the URL to where it is now";
    return { result: "rejected", reason: `the receiver answered ${status}: ${toDo}` };
  }
  const said = oneLine(hide(textOf(answer), reading.secrets), saidCharsMax);
  const advice = reading.advice?.[status] ?? "";
  const reason = [`the receiver answered ${status}`, advice, said].filter(Boolean).join(": ");
  if (status < 500 && !momentary.includes(status)) return { result: "rejected", reason };
  const afterMs = retryAfterMs(answer.headers["retry-after"], reading.now);
  return {
    result: "retry",
    reason,
    ...(afterMs === undefined ? {} : { afterMs }),
    // "Too many" is said of everything that goes there.
    ...(status === 429 || status >= 500 ? { destinationDown: true } : {}),
  };
}

/** The id that the receiver gave to what it took, if its answer says one. */
export function idIn(answer: HttpAnswer, { secrets }: ReadContext): string | undefined {
  try {
    const said: unknown = JSON.parse(hide(textOf(answer), secrets));
    const { id } = (said ?? {}) as { id?: unknown };
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    return oneLine(String(id), saidCharsMax) || undefined;
  } catch {
    return undefined;
  }
}

function textOf({ body }: HttpAnswer): string {
  return new TextDecoder().decode(body);
}
