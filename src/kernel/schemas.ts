import * as z from "zod";
import type { Json } from "../platform/json.ts";

/** UTC epoch milliseconds. */
export const moment = z.int().nonnegative();

/** Counted from 0. */
export const count = z.int().nonnegative();

/** Anything that a store reads back as it was written. */
export const json: z.ZodType<Json> = z.json();

/** Inputs that operations of every feature take. */
export const fields = {
  id: z.string().describe("which one, by its id"),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe("how many at most"),
  key: z.string().min(1).optional().describe("asking again with this key does not ask twice"),
  after: z.string().optional().describe("`next` of the page before"),
  all: z.boolean().default(false).describe("also what has ended"),
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
