import {
  callbackOf,
  type Job,
  type Ran,
  type RunContext,
  type Runner,
} from "../../features/tasks/index.ts";
import { messageOf, toErrorData } from "../../platform/errors.ts";
import { retryAfterMs, type SafeFetch } from "../../platform/fetch.ts";
import { isoOf } from "../../platform/iso-time.ts";
import type { Json } from "../../platform/json.ts";
import { redact } from "../../platform/redact.ts";
import { signedHeaders } from "../../platform/signature.ts";
import { oneLine } from "../../platform/text.ts";
import { finalFailure, stopped, resultLine } from "./result.ts";

interface HttpOptions {
  fetch: SafeFetch;
  /** UTC epoch milliseconds. */
  now(): number;
  /** Where the receiver reports the end of a run that outlasts the request; absent: nowhere. */
  callbackUrl?(job: Job): string;
}

interface Endpoint {
  readonly url: string;
  readonly secret: string;
  readonly input: Json;
}

/**
 * Runs a task at an HTTP endpoint: a POST, signed by Standard Webhooks. `webhook-id` is the run's id
 * on every attempt: a receiver that remembers it runs once. After a 202 the receiver reports the end
 * at the callback URL.
 */
export function httpRunner(options: HttpOptions): Runner {
  return {
    name: "http",
    async run(job, desk) {
      if (job.callback !== undefined) return ranByCallback(job, job.callback, desk);
      const endpoint = endpointIn(job.input);
      if (endpoint === undefined) {
        return finalFailure(
          `no endpoint can be read: ask as {"http": "https://…", "secret": "whsec_…"}`,
        );
      }
      const body = bodyOf(job, endpoint, options);
      const signed = signedHeaders(endpoint.secret, { id: job.id, body, now: options.now() });
      if (signed === undefined)
        return finalFailure("its secret cannot be read: use whsec_ and base64");
      const headers = { "content-type": "application/json", "user-agent": "daybook", ...signed };
      return await ask(options, { job, desk, endpoint, headers, body });
    },
  };
}

function endpointIn(input: Json): Endpoint | undefined {
  const { http, secret, input: inner = null } = (input ?? {}) as Record<string, Json>;
  if (typeof http !== "string" || typeof secret !== "string") return undefined;
  return { url: http, secret, input: inner };
}

/** The same on every attempt. */
function bodyOf(job: Job, { input }: Endpoint, { callbackUrl }: HttpOptions): string {
  const { id, slot, event } = job;
  return JSON.stringify({
    run_id: id,
    schedule: slot?.schedule ?? null,
    slot: slot === undefined ? null : isoOf(slot.at),
    input: input ?? event ?? null,
    callback_url: callbackUrl?.(job) ?? null,
  });
}

interface RunRequest {
  readonly job: Job;
  readonly desk: RunContext;
  readonly endpoint: Endpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function ask(options: HttpOptions, runRequest: RunRequest): Promise<Ran> {
  const { job, desk, endpoint, headers, body } = runRequest;
  const { url, secret } = endpoint;
  const { signal } = desk;
  const hasCallback = options.callbackUrl !== undefined;
  const secrets = [secret.replace("whsec_", "")];
  try {
    const request = { url, method: "POST", headers, body, signal, keepsFirst: true } as const;
    const answer = await options.fetch(request);
    const text = redact(textOf(answer), secrets);
    const restMs = retryAfterMs(answer.headers["retry-after"], options.now());
    return ranByAnswer(answer.status, text, { job, desk, hasCallback, restMs });
  } catch (error) {
    if (signal.aborted) return stopped(signal);
    const { code } = toErrorData(error);
    const reason = oneLine(redact(messageOf(error), secrets), 500);
    const isOurs = code === "invalid" || code === "refused";
    return isOurs ? finalFailure(reason) : { result: "failed", reason };
  }
}

function textOf({ body, isCut }: Awaited<ReturnType<SafeFetch>>): string {
  const text = new TextDecoder().decode(body, { stream: isCut }); // no half character at its end
  return isCut ? `${text}\n--- the answer was longer: it is cut here ---\n` : text;
}

/** Statuses below 500 after which a retry may succeed. */
const retryable: readonly number[] = [408, 429];

interface AnswerContext {
  readonly job: Job;
  readonly desk: RunContext;
  readonly hasCallback: boolean;
  /** The receiver's Retry-After. */
  readonly restMs?: number | undefined;
}

function ranByAnswer(status: number, text: string, { job, desk, ...about }: AnswerContext): Ran {
  const { hasCallback, restMs } = about;
  if (status === 202 && hasCallback) return { result: "later" };
  if (status === 202) {
    const toDo = "answer 200 when it is done, or have an administrator set DAYBOOK_PUBLIC_URL";
    return finalFailure(`the receiver answered 202, and there is no URL to call back: ${toDo}`);
  }
  if (status >= 200 && status < 300) return completed(job, text, desk);
  if (status < 400) {
    const toDo = "redirects are not followed, so set the URL to where it is now";
    return finalFailure(`the receiver answered ${status}: ${toDo}`);
  }
  const line = oneLine(text, 200);
  const reason = `the receiver answered ${status}${line === "" ? "" : `: ${line}`}`;
  if (status < 500 && !retryable.includes(status)) return finalFailure(reason);
  return { result: "failed", reason, ...(restMs === undefined ? {} : { retryAfterMs: restMs }) };
}

/** The end of a run by its callback. */
function ranByCallback(job: Job, callback: Json, desk: RunContext): Ran {
  const end = callbackOf(callback);
  if (end === undefined) return finalFailure("the callback cannot be read");
  const { status, output = "", message = "" } = end;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  if (status === "completed") return completed(job, text, desk);
  if (text !== "") desk.write(text);
  const why = oneLine(message, 500);
  return { result: "failed", reason: why === "" ? "the receiver says that it failed" : why };
}

function completed(job: Job, text: string, desk: RunContext): Ran {
  if (text !== "") desk.write(text);
  return { result: "completed", ...resultLine(job, text) };
}
