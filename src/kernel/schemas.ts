import * as z from "zod";
import type { Json } from "../platform/json.ts";

/** UTC epoch milliseconds. */
export const moment = z.int().nonnegative();

/** A whole number from 0. */
export const count = z.int().nonnegative();

/** JSON: a store reads it back unchanged. */
export const json: z.ZodType<Json> = z.json();

/** Inputs that operations of every feature take. */
export const fields = {
  id: z.string().describe("the record's id, or the start of it: at least 8 characters"),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe("the most records to return. Default: 50"),
  key: z
    .string()
    .min(1)
    .optional()
    .describe("an idempotency key: repeating the request with it has no second effect"),
  after: z.string().optional().describe("the cursor of the page: `next` of the page before"),
  sort: z
    .enum(["next", "newest", "oldest"])
    .optional()
    .describe(
      "the order: next (only records that wait), newest or oldest. Default: next; with `all` or the state of ended records, newest",
    ),
  all: z.boolean().default(false).describe("include records that have ended"),
};

/** The schema without its defaults and optional wrappers. */
export function bare(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : bare(inner);
}

export function innerOf({ def }: z.ZodType): z.ZodType | undefined {
  const { innerType, in: from } = def as { innerType?: z.ZodType; in?: z.ZodType };
  return innerType ?? from;
}
