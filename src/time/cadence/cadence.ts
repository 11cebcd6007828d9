import * as z from "zod";
import { zone } from "../settings.ts";

/** A rule for repeated times. Times are UTC, in milliseconds since 1970. */
export const cadence = z.union([
  z.strictObject({ type: z.literal("once"), at: z.int() }).readonly(),
  /** Five fields, or six with the seconds first; a nickname such as @daily stays as it was typed. */
  z.strictObject({ type: z.literal("cron"), expression: z.string(), zone }).readonly(),
  /** At the anchor plus a multiple of the length, at least one: it never drifts. */
  z
    .strictObject({ type: z.literal("interval"), everyMs: z.number().positive(), anchor: z.int() })
    .readonly(),
  /** The text of an RRULE as RFC 5545 has it, without DTSTART: that is the start. */
  z.strictObject({ type: z.literal("rrule"), rule: z.string(), start: z.int(), zone }).readonly(),
]);
export type Cadence = z.output<typeof cadence>;
