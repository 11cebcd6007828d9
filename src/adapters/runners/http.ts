import {
  callbackOf,
  type Job,
  type Ran,
  type RunContext,
  type Runner,
} from "../../features/tasks/index.ts";
import { messageOf, toErrorData } from "../../platform/errors.ts";
import { type FetchRequest, retryAfterMs, type SafeFetch } from "../../platform/fetch.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { type Json, present } from "../../platform/json.ts";
import { redact } from "../../platform/redact.ts";
import { signedHeaders } from "../../platform/signature.ts";
import { oneLine } from "../../platform/text.ts";
import { finalFailure, stopped, resultLine } from "./result.ts";

interface HttpOptions {
  fetch: SafeFetch;
  /** UTC epoch milliseconds. */
  now(): number;
  /** Where the receiver reports the end of a run that outlasts the request; absent: nowhere. */
  callbackUrl?: ((job: Job) => string) | undefined;
}

/**
 * Runs a task at an HTTP endpoint: a POST, signed by Standard Webhooks. `webhook-id` is the run's id
 * on every attempt: a receiver that remembers it runs once. After a 202 the receiver reports the end
 * at the callback URL.
 */
export function httpRunner(options: HttpOptions): Runner {
  return {
    name: "http",
    async run(job, context) {
      if (job.callback !== undefined) return ranByCallback(job, job.callback, context);
      const endpoint = endpointIn(job.input);
      if (endpoint === undefined) {
        return finalFailure(
          `the input has no endpoint: write it as {"http": "https://…", "secret": "whsec_…"}`,
        );
      }
      const { url, secret, input } = endpoint;
      const body = bodyOf(job, input, options.callbackUrl?.(job));
      const signed = signedHeaders(secret, { id: job.id, body, now: options.now() });
      if (signed === undefined)
        return finalFailure("its secret is not valid: use whsec_ and base64");
      const headers = { "content-type": "application/json", "user-agent": "daybook", ...signed };
      const secrets = [secret.replace("whsec_", "")];
      return await post(options, { url, headers, body }, { job, context, secrets });
    },
  };
}

function endpointIn(input: Json) {
  const { http, secret, input: inner = null } = (input ?? {}) as Record<string, Json>;
  if (typeof http !== "string" || typeof secret !== "string") return undefined;
  return { url: http, secret, input: inner };
}

/** The same on every attempt. */
function bodyOf({ id, slot, event }: Job, input: Json, callbackUrl: string | undefined): string {
  return JSON.stringify({
    run_id: id,
    schedule: slot?.schedule ?? null,
    slot: slot === undefined ? null : isoOf(slot.at),
    input: input ?? event ?? null,
    callback_url: callbackUrl ?? null,
  });
}

interface Run {
  readonly job: Job;
  readonly context: RunContext;
  /** Hidden in its output and reasons. */
  readonly secrets: readonly string[];
}

async function post(
  { fetch, now, callbackUrl }: HttpOptions,
  request: FetchRequest,
  { job, context, secrets }: Run,
): Promise<Ran> {
  const { signal } = context;
  try {
    const answer = await fetch({ ...request, method: "POST", signal, keepsFirst: true });
    const text = redact(textOf(answer), secrets);
    if (answer.status >= 200 && answer.status < 300 && answer.status !== 202) {
      return completed(job, text, context);
    }
    if (answer.status === 202 && callbackUrl !== undefined) return { result: "later" };
    return refusal(answer.status, text, retryAfterMs(answer.headers["retry-after"], now()));
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

function refusal(status: number, text: string, retryAfterMs: number | undefined): Ran {
  if (status === 202) {
    const toDo = "answer 200 when it is done, or have an administrator set DAYBOOK_PUBLIC_URL";
    return finalFailure(`the receiver answered 202, and there is no callback URL: ${toDo}`);
  }
  if (status < 400) {
    const toDo = "redirects are not followed, so set the URL to where it is now";
    return finalFailure(`the receiver answered ${status}: ${toDo}`);
  }
  const line = oneLine(text, 200);
  const reason = `the receiver answered ${status}${line === "" ? "" : `: ${line}`}`;
  if (status < 500 && !retryable.includes(status)) return finalFailure(reason);
  return present({ result: "failed", reason, retryAfterMs });
}

/** The end of a run by its callback. */
function ranByCallback(job: Job, callback: Json, context: RunContext): Ran {
  const end = callbackOf(callback);
  if (end === undefined) return finalFailure("the callback cannot be read");
  const { status, output = "", message = "" } = end;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  if (status === "completed") return completed(job, text, context);
  if (text !== "") context.write(text);
  const why = oneLine(message, 500);
  return { result: "failed", reason: why === "" ? "the receiver says that it failed" : why };
}

function completed(job: Job, text: string, context: RunContext): Ran {
  if (text !== "") context.write(text);
  return { result: "completed", ...resultLine(job, text) };
}
