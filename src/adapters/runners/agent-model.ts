import type * as Package from "@ai-sdk/openai-compatible";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import type { Failed } from "./result.ts";

interface ModelOptions {
  /** Where the server is, as `https://host/v1`. */
  baseUrl: string;
  /** The model's name there. */
  model: string;
  key?: string;
  fetch: SafeFetch;
  load?: () => Promise<typeof Package>;
}

/** A model behind any server that speaks as OpenAI does. Made on use: its package is loaded then. */
export function agentModel(options: ModelOptions): () => Promise<object> {
  const { baseUrl, model, key, load = () => import("@ai-sdk/openai-compatible") } = options;
  return async () => {
    const { createOpenAICompatible } = await loaded("@ai-sdk/openai-compatible", load);
    const fetch = webFetch(options.fetch, key === undefined ? [] : [key]);
    const given = { name: "agent", baseURL: baseUrl, fetch };
    return createOpenAICompatible(key === undefined ? given : { ...given, apiKey: key })(model);
  };
}

/** What only agents need. */
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

/** Our way out, as the web's fetch. A server may say back the key it was told, and is not heard. */
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
      const text = hide(new TextDecoder().decode(answer.body), secrets);
      return new Response(text === "" ? null : text, { status, headers: answer.headers });
    } catch (error) {
      // So the package knows that the network failed, and tries again.
      if (hasCode(error, "unavailable") && signal?.aborted !== true) {
        throw new TypeError("fetch failed", { cause: error });
      }
      throw error;
    }
  };
}

/** Not the request is wrong, but the moment; or what was answered was no answer. */
function isMomentary(status: number): boolean {
  return status < 400 || status >= 500 || [408, 409, 429].includes(status);
}

/** What it means that a turn was not made. */
export function turnFault(error: unknown, secrets: readonly string[]): Failed {
  const { statusCode, responseBody } = innermost(error) as {
    statusCode?: unknown;
    responseBody?: unknown;
  };
  const said =
    messageOf(innermost(error)) || (typeof responseBody === "string" ? responseBody : "");
  const words = oneLine(hide(said, secrets), 300);
  if (typeof statusCode === "number") {
    const reason = `the model's server answered ${statusCode}: ${words}`;
    return { result: "failed", reason, ...(isMomentary(statusCode) ? {} : { retry: false }) };
  }
  const isOurs = hasCode(innermost(error), "invalid", "refused", "unsupported");
  const reason = isOurs ? words : `the model did not answer: ${words}`;
  return { result: "failed", reason, ...(isOurs ? { retry: false } : {}) };
}

/** Tries that failed come wrapped in one error, and the network's in another. */
function innermost(error: unknown): unknown {
  const { lastError, cause } = (error ?? {}) as { lastError?: unknown; cause?: unknown };
  if (lastError !== undefined) return innermost(lastError);
  return cause instanceof Error && hasCode(cause, "invalid", "refused", "unavailable", "too_large")
    ? cause
    : error;
}
