import type { Sent } from "../../features/notifications/index.ts";
import { messageOf, toErrorData } from "../../platform/errors.ts";
import { type SafeFetch, retryAfterMs } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";

export interface PostRequest {
  readonly fetch: SafeFetch;
  readonly url: string;
  /** Default: POST. */
  readonly method?: "POST" | "PATCH";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** UTC epoch milliseconds. */
  now(): number;
  /** Never part of a reason or receipt. */
  readonly secrets: readonly string[];
  /** What to do, by status. */
  readonly advice?: Readonly<Record<number, string>> | undefined;
  /** Reads refusals with a meaning of their own; undefined: the usual meaning. */
  refused?(answer: HttpAnswer, context: ReadContext): Sent | undefined;
}

/** Posts once. `accepted` reads a success; other answers mean the same on any channel. */
export async function post(
  request: PostRequest,
  accepted: (answer: HttpAnswer, context: ReadContext) => Sent,
): Promise<Sent> {
  const { fetch, url, method = "POST", headers, body, signal, secrets } = request;
  let answer: HttpAnswer;
  try {
    const json = { "content-type": "application/json", "user-agent": "daybook", ...headers };
    answer = await orStatus(fetch)({ url, method, headers: json, body, signal });
  } catch (error) {
    return faultOf(error, request);
  }
  const context = { now: request.now(), secrets, advice: request.advice };
  const own = request.refused?.(answer, context);
  return own ?? refusalOf(answer, context) ?? accepted(answer, context);
}

/** Of an answer that is too long, its status. */
export function orStatus(fetch: SafeFetch): SafeFetch {
  return async (request) => {
    try {
      return await fetch(request);
    } catch (error) {
      const { status } = toErrorData(error).details;
      if (typeof status !== "number") throw error;
      return { status, headers: {}, body: Buffer.alloc(0), isCut: true };
    }
  };
}

/** The result of a request without an answer: it depends on whether it may have arrived. */
export function faultOf(
  error: unknown,
  { signal, secrets }: Pick<PostRequest, "signal" | "secrets">,
): Sent {
  const reason = oneLine(redact(messageOf(error), secrets), 500);
  const { code, details } = toErrorData(error);
  if (details["sent"] !== false) return { result: "unknown", reason };
  if (code === "invalid" || code === "refused") return { result: "rejected", reason };
  // An aborted request proves nothing about its receiver.
  return present({
    result: "retry",
    reason,
    destinationDown: signal.aborted ? undefined : true,
  });
}

export type HttpAnswer = Awaited<ReturnType<SafeFetch>>;

export interface ReadContext extends Pick<PostRequest, "secrets" | "advice"> {
  readonly now: number;
}

const textCharsMax = 200;

/** Statuses below 500 after which a retry may succeed. */
const retryable: readonly number[] = [408, 409, 425, 429];

/** The result of an answer without success; undefined for a success. */
function refusalOf(answer: HttpAnswer, context: ReadContext): Sent | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return { result: "rejected", reason: "the receiver is gone" };
  if (status < 400) {
    const toDo = "redirects are not followed, so set the URL to where it is now";
    return { result: "rejected", reason: `the receiver answered ${status}: ${toDo}` };
  }
  const text = oneLine(redact(textOf(answer), context.secrets), textCharsMax);
  const advice = context.advice?.[status] ?? "";
  const reason = [`the receiver answered ${status}`, advice, text].filter(Boolean).join(": ");
  if (status < 500 && !retryable.includes(status)) return { result: "rejected", reason };
  const afterMs = retryAfterMs(answer.headers["retry-after"], context.now);
  // A rate limit is for the whole destination.
  const destinationDown = status === 429 || status >= 500 ? true : undefined;
  return present({ result: "retry", reason, afterMs, destinationDown });
}

/** The receiver's id of the message, if its answer has one. */
export function idIn(answer: HttpAnswer, { secrets }: ReadContext): string | undefined {
  try {
    const parsed: unknown = JSON.parse(redact(textOf(answer), secrets));
    const { id } = (parsed ?? {}) as { id?: unknown };
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    return oneLine(String(id), textCharsMax) || undefined;
  } catch {
    return undefined;
  }
}

function textOf({ body }: HttpAnswer): string {
  return new TextDecoder().decode(body);
}
