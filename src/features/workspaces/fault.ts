import * as z from "zod";
import { json, moment } from "../../kernel/schemas.ts";
import type { Backoff } from "../../platform/backoff.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { cut, harmless } from "../../platform/text.ts";

/** Why an operation failed. */
export const faultReasons = [
  "Mismatch",
  "Unreachable",
  "ActionFailed",
  "Timeout",
  "DataLost",
] as const;
export type FaultReason = (typeof faultReasons)[number];

/** A failure as it is kept with a workspace, and shown. */
export const errorInfo = z.strictObject({
  reason: z.enum(faultReasons),
  /** What happened, and what to do. */
  message: z.string(),
  context: z.record(z.string(), json).readonly(),
  occurredAt: moment,
});
export type ErrorInfo = z.output<typeof errorInfo>;

const retries: Readonly<Record<FaultReason, number>> = {
  Mismatch: 3,
  Unreachable: 3,
  ActionFailed: 3,
  Timeout: 0,
  DataLost: 0,
};

/** Whether it is tried again by itself, after so many faults one after another. */
export function isTriedAgain(reason: FaultReason, faultsBefore: number): boolean {
  return faultsBefore < retries[reason];
}

export const faultBackoff: Backoff = { firstMs: 5_000, factor: 3, maxMs: 5 * 60_000 };

const messageCharsMax = 1_000;

/** What a port threw, as it is kept. */
export function faultOf(error: DaybookError, operation: string, now: number): ErrorInfo {
  const told = faultReasons.find((reason) => reason === error.details["fault"]);
  const reason = told ?? (error.code === "unavailable" ? "Unreachable" : "ActionFailed");
  const { fault: _, ...details } = error.details;
  // Facts that are no JSON have no place in a record.
  const facts = JSON.parse(JSON.stringify(details)) as Record<string, Json>;
  const context = { operation, error: error.code, ...facts };
  return {
    reason,
    message: cut(harmless(error.message), messageCharsMax),
    context,
    occurredAt: now,
  };
}

export function mismatch(
  { expected, actual }: { expected: string; actual: string },
  operation: string | null,
  now: number,
): ErrorInfo {
  const message = `There is ${actual} where there should be ${expected}: look what happened to it outside.`;
  return { reason: "Mismatch", message, context: { expected, actual, operation }, occurredAt: now };
}

export function timedOut(
  operation: string,
  { startedAt, limitMs, now }: { startedAt: number; limitMs: number; now: number },
): ErrorInfo {
  const seconds = {
    elapsed_seconds: Math.round((now - startedAt) / 1_000),
    limit_seconds: limitMs / 1_000,
  };
  const message = `${operation} took over ${seconds.limit_seconds} s: see what holds it up, then recover the workspace.`;
  return { reason: "Timeout", message, context: { operation, ...seconds }, occurredAt: now };
}
