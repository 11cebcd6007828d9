import * as z from "zod";
import { json, moment } from "../../kernel/schemas.ts";
import { zone } from "../../time/settings.ts";

/** What one entry of a calendar shows, in the words of no service: what we write, and what we read back. */
export const entryContent = z
  .strictObject({
    title: z.string(),
    description: z.string(),
    /** Whole seconds: services have no smaller unit. */
    at: moment,
    /** The zone that the time is shown in, and that a recurrence counts in. */
    zone,
    minutes: z.int().positive(),
    /** It fills the day of `at` in its zone: a due date. */
    allDay: z.literal(true).exactOptional(),
    /** An RRULE without its prefix; the first time is `at`. */
    recurrence: z.string().exactOptional(),
    /** The record has ended, and the entry is kept. */
    isDone: z.literal(true).exactOptional(),
    /** The record's own fields, for a service that mirrors records (Notion) instead of showing times. */
    fields: z.record(z.string(), json).readonly().exactOptional(),
  })
  .readonly();
export type EntryContent = z.output<typeof entryContent>;
