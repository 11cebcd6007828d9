import * as z from "zod";

/** Stands for `src/platform/json.ts`. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Any JSON, as the program has it: read only. */
export const json: z.ZodType<Json, Json> = z.json();
