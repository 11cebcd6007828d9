import * as z from "zod";

/** Inputs that operations of every feature take. */
export const fields = {
  id: z.string().describe("which one, by its id"),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe("how many at most"),
  key: z.string().min(1).optional().describe("asking again with this key does not ask twice"),
  after: z.string().optional().describe("`next` of the page before"),
};
