import type * as Package from "@ai-sdk/openai-compatible";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { finalFailure, type Failed } from "./result.ts";

interface ModelOptions {
  /** `https://host/v1` */
  baseUrl: string;
  /** The model's name there. */
  model: string;
  key?: string;
  fetch: SafeFetch;
  load?: () => Promise<typeof Package>;
}

/** A model behind any server with OpenAI's API. Its package is loaded on first use. */
export function agentModel(options: ModelOptions): () => Promise<object> {
  const { baseUrl, model, key, load = () => import("@ai-sdk/openai-compatible") } = options;
  return async () => {
    const { createOpenAICompatible } = await loaded("@ai-sdk/openai-compatible", load);
    const fetch = webFetch(options.fetch, key === undefined ? [] : [key]);
    const given = { name: "agent", baseURL: baseUrl, fetch };
    return createOpenAICompatible(key === undefined ? given : { ...given, apiKey: key })(model);
  };
}

/** The packages that only agents need. */
export const agentPackages = ["ai", "@ai-sdk/openai-compatible"] as const;

/** Loads one of these. */
export async function loaded<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const advice = `npm install ${agentPackages.join(" ")}`;
    const sentence = `Agents need the package ${name}, and it is not there: ${advice}.`;
    throw new DaybookError("unsupported", sentence, { cause });
  }
}

/** The safe fetch as the web's, with the key hidden in answers. */
function webFetch(fetch: SafeFetch, secrets: readonly string[]): typeof globalThis.fetch {
  return async (input, { headers, body, signal } = {}) => {
    const url = input instanceof Request ? input.url : input.toString();
    try {
      const answer = await fetch({
        url,
        method: "POST",
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === "string" ? { body } : {}),
        ...(signal ? { signal } : {}),
      });
      const { status } = answer;
      const text = redact(new TextDecoder().decode(answer.body), secrets);
      return new Response(text === "" ? null : text, { status, headers: answer.headers });
    } catch (error) {
      // The form of a network failure, after which the package retries.
      if (hasCode(error, "unavailable") && signal?.aborted !== true) {
        throw new TypeError("fetch failed", { cause: error });
      }
      throw error;
    }
  };
}

/** Whether a retry may succeed; other statuses below 400 are no answer of a model. */
function isRetryable(status: number): boolean {
  return status < 400 || status >= 500 || [408, 409, 429].includes(status);
}

/** The end of a run whose turn failed. */
export function turnFault(error: unknown, secrets: readonly string[]): Failed {
  const { statusCode, responseBody } = innermost(error) as {
    statusCode?: unknown;
    responseBody?: unknown;
  };
  const message =
    messageOf(innermost(error)) || (typeof responseBody === "string" ? responseBody : "");
  const line = oneLine(redact(message, secrets), 300);
  if (typeof statusCode === "number") {
    const reason = `the model's server answered ${statusCode}: ${line}`;
    return isRetryable(statusCode) ? { result: "failed", reason } : finalFailure(reason);
  }
  if (hasCode(innermost(error), "invalid", "refused", "unsupported")) return finalFailure(line);
  return { result: "failed", reason: `the model did not answer: ${line}` };
}

/** Failed retries are wrapped in one error, and network errors in another. */
function innermost(error: unknown): unknown {
  const { lastError, cause } = (error ?? {}) as { lastError?: unknown; cause?: unknown };
  if (lastError !== undefined) return innermost(lastError);
  return cause instanceof Error && hasCode(cause, "invalid", "refused", "unavailable", "too_large")
    ? cause
    : error;
}
