import { hasCode, messageOf } from "../../platform/errors.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import type { Failed } from "./result.ts";

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
