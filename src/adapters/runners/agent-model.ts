import type * as Package from "@ai-sdk/openai-compatible";
import { hasCode, messageOf } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { loadPackage } from "../../platform/optional-package.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { webFetch } from "../../platform/web-fetch.ts";
import { finalFailure, type Failed } from "./result.ts";

/** A model behind any server with OpenAI's API. Its package is loaded on first use. */
export function agentModel({
  load = () => import("@ai-sdk/openai-compatible"),
  ...options
}: {
  /** `https://host/v1` */
  baseUrl: string;
  /** The model's name there. */
  model: string;
  key?: string | undefined;
  fetch: SafeFetch;
  load?: () => Promise<typeof Package>;
}): () => Promise<object> {
  return async () => {
    const { createOpenAICompatible } = await loadAgents("@ai-sdk/openai-compatible", load);
    const { baseUrl: baseURL, model, key: apiKey } = options;
    const fetch = modelFetch(options.fetch, apiKey === undefined ? [] : [apiKey]);
    return createOpenAICompatible(present({ name: "agent", baseURL, fetch, apiKey }))(model);
  };
}

/** The packages that only agents need. */
export const agentPackages = ["ai", "@ai-sdk/openai-compatible"] as const;

/** Loads one of these. */
export function loadAgents<T>(name: string, load: () => Promise<T>): Promise<T> {
  return loadPackage("Agents need", name, load, { install: agentPackages.join(" ") });
}

function modelFetch(fetch: SafeFetch, secrets: readonly string[]): typeof globalThis.fetch {
  const post = webFetch(fetch, { secrets });
  return async (input, { headers, ...init } = {}) => {
    const url = input instanceof Request ? input.url : input;
    try {
      const answer = await post(url, {
        ...init,
        headers: Object.fromEntries(new Headers(headers)),
      });
      return new Response((await answer.text()) || null, answer);
    } catch (error) {
      // The form of a network failure, after which the package retries.
      if (hasCode(error, "unavailable") && init.signal?.aborted !== true) {
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
