import * as z from "zod";
import { json, moment } from "../../kernel/schemas.ts";
import type { Backoff } from "../../platform/backoff.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { cut, harmless } from "../../platform/text.ts";

/** Why an operation failed, or an observation is a mismatch. */
export const errorReasons = [
  "Mismatch",
  "Unreachable",
  "ActionFailed",
  "Timeout",
  "DataLost",
] as const;
export type ErrorReason = (typeof errorReasons)[number];

/** An error, as stored with a workspace and shown. */
export const errorInfo = z.strictObject({
  reason: z.enum(errorReasons),
  /** The problem, and what to do. */
  message: z.string(),
  context: z.record(z.string(), json).readonly(),
  occurredAt: moment,
});
export type ErrorInfo = z.output<typeof errorInfo>;

const retries: Readonly<Record<ErrorReason, number>> = {
  Mismatch: 3,
  Unreachable: 3,
  ActionFailed: 3,
  Timeout: 0,
  DataLost: 0,
};

/** Whether the workspace retries by itself after so many errors in a row. */
export function isRetried(reason: ErrorReason, errorsBefore: number): boolean {
  return errorsBefore < retries[reason];
}

export const errorBackoff: Backoff = { firstMs: 5_000, factor: 3, maxMs: 5 * 60_000 };

const messageCharsMax = 1_000;

/** An error of machines or archives, as it is stored. */
export function errorInfoFrom(error: DaybookError, operation: string, now: number): ErrorInfo {
  const stated = errorReasons.find((reason) => reason === error.details["fault"]);
  const reason = stated ?? (error.code === "unavailable" ? "Unreachable" : "ActionFailed");
  const { fault: _, ...details } = error.details;
  // A record stores only JSON.
  const facts = JSON.parse(JSON.stringify(details)) as Record<string, Json>;
  const context = { operation, error: error.code, ...facts };
  return {
    reason,
    message: cut(harmless(error.message), messageCharsMax),
    context,
    occurredAt: now,
  };
}

export function mismatchError(
  { expected, actual }: { expected: string; actual: string },
  operation: string | null,
  now: number,
): ErrorInfo {
  const message = `There is ${actual} where there should be ${expected}: check what changed it from outside.`;
  return { reason: "Mismatch", message, context: { expected, actual, operation }, occurredAt: now };
}

export function timeoutError(
  operation: string,
  { startedAt, limitMs, now }: { startedAt: number; limitMs: number; now: number },
): ErrorInfo {
  const seconds = {
    elapsed_seconds: Math.round((now - startedAt) / 1_000),
    limit_seconds: limitMs / 1_000,
  };
  const message = `${operation} took over ${seconds.limit_seconds} s: check what blocks it, then recover the workspace.`;
  return { reason: "Timeout", message, context: { operation, ...seconds }, occurredAt: now };
}
