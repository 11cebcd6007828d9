import { z } from "zod";

const time = z.object({
  date: z.string().optional(),
  dateTime: z.string().optional(),
  timeZone: z.string().optional(),
});
export type GoogleTime = z.output<typeof time>;

/** The part of an event of Google's that is read here. Of a deleted one there may be nothing but the id. */
export const googleEvent = z.object({
  id: z.string(),
  etag: z.string().default(""),
  status: z.string().default("confirmed"),
  htmlLink: z.string().optional(),
  summary: z.string().default(""),
  description: z.string().default(""),
  start: time.optional(),
  end: time.optional(),
  recurrence: z.array(z.string()).optional(),
  recurringEventId: z.string().optional(),
  transparency: z.string().optional(),
  eventType: z.string().optional(),
  attendees: z
    .array(z.object({ self: z.boolean().optional(), responseStatus: z.string().optional() }))
    .optional(),
  extendedProperties: z.object({ private: z.record(z.string(), z.string()).optional() }).optional(),
});
export type GoogleEvent = z.output<typeof googleEvent>;

/** These fields, as a mask for Google. */
export const eventFields =
  "id,etag,status,htmlLink,summary,description,start,end,recurrence,recurringEventId,transparency,eventType,attendees(self,responseStatus),extendedProperties/private";
