import * as z from "zod";
import type { Priority } from "../../../kernel/record.ts";
import { fields as common } from "../../../kernel/schemas.ts";
import type { Key } from "../../../kernel/unit.ts";
import { writableTypes } from "../kind.ts";

export const timeWords =
  'when, in English or Korean, such as "+30m", "tomorrow 9am", "내일 오후 3시" or "2026-12-25 09:00"';

/** Inputs of several operations. */
export const fields = {
  ...common,
  at: z.string().describe(timeWords),
  scheduledAtText: z
    .string()
    .nullish()
    .describe("the time as a person said it, kept with the notification. Default: `at`"),
  createdBy: z
    .string()
    .min(1)
    .nullish()
    .describe("who asks for it, such as worker. Default: the caller"),
  timezone: z
    .string()
    .optional()
    .describe('the time zone of the times, such as "Asia/Seoul". Default: the owner\'s'),
  priority: z
    .enum(["low", "normal", "high", "medium"])
    .optional()
    .describe("the priority: low, normal or high (medium is normal). Default: normal"),
  type: z.enum(writableTypes).optional().describe("the type. Default: reminder"),
};

export function priorityOf(request: Priority | "medium" | undefined): Priority | undefined {
  return request === "medium" ? "normal" : request;
}

/** Longer than ended records are kept by default, so that a key outlives its record. */
const keptMs = 120 * 86_400_000;

/** A key for a request, from a time on. */
export function requestKey(name: string, request: unknown, from: number): Key {
  return { name, asked: request, until: from + keptMs };
}
