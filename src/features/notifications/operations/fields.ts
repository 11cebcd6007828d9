import * as z from "zod";
import type { Priority } from "../../../kernel/record.ts";
import { fields as common } from "../../../kernel/schemas.ts";
import type { Key } from "../../../kernel/unit.ts";
import { writableTypes } from "../kind.ts";

/** Inputs that several operations take. */
export const timeWords =
  'when, in English or Korean, such as "+30m", "tomorrow 9am", "내일 오후 3시" or "2026-12-25 09:00"';

export const fields = {
  ...common,
  at: z.string().describe(timeWords),
  timezone: z
    .string()
    .optional()
    .describe('the time zone that times are read in, such as "Asia/Seoul"'),
  priority: z
    .enum(["low", "normal", "high", "medium"])
    .optional()
    .describe("how urgent: low, normal or high (medium is normal)"),
  type: z.enum(writableTypes).optional().describe("what sort it is; reminder when absent"),
};

export function priorityOf(request: Priority | "medium" | undefined): { priority?: Priority } {
  if (request === undefined) return {};
  return { priority: request === "medium" ? "normal" : request };
}

/** Longer than an ended record is kept unless told, so that a key outlives its record. */
const keptMs = 120 * 86_400_000;

/** A key for what was asked, from this time on. */
export function requestKey(name: string, request: unknown, from: number): Key {
  return { name, asked: request, until: from + keptMs };
}
