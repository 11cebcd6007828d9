import * as z from "zod";
import type { Json } from "../platform/json.ts";

/** UTC epoch milliseconds. */
export const moment = z.int().nonnegative();

/** Counted from 0. */
export const count = z.int().nonnegative();

/** Anything that a store reads back as it was written. */
export const json: z.ZodType<Json> = z.json();
