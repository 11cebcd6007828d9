import * as z from "zod";
import { isZone } from "../../time/zone.ts";
import { GoogleRefusal } from "./google-errors.ts";

const zone = z.string().refine(isZone);
const rfc3339 = z.iso.datetime({ offset: true });

const time = z.strictObject({
  date: z.iso.date().optional(),
  dateTime: rfc3339.optional(),
  timeZone: zone.optional(),
});
export type EventTime = z.output<typeof time>;

const properties = z.record(z.string().min(1).max(44), z.string().max(1_024));
const descriptionCharsMax = 8_192;
/** A text without control characters. */
const text = z.string().regex(/^(?:[\n\t]|\P{Cc})*$/u);
const reminderMinutesMax = 40_320;

/** The fields of an event that a client can write, in their complete form. */
export const eventBody = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-v]{5,1024}$/)
    .optional(),
  status: z.enum(["confirmed", "tentative", "cancelled"]).optional(),
  summary: text.optional(),
  description: text.max(descriptionCharsMax).optional(),
  location: z.string().optional(),
  start: time,
  end: time,
  recurrence: z
    .array(z.string().regex(/^(RRULE|EXRULE|RDATE|EXDATE)[:;]/))
    .min(1)
    .optional(),
  transparency: z.enum(["opaque", "transparent"]).optional(),
  visibility: z.enum(["default", "public", "private", "confidential"]).optional(),
  colorId: z
    .string()
    .regex(/^([1-9]|1[01])$/)
    .optional(),
  reminders: z
    .strictObject({
      useDefault: z.boolean(),
      overrides: z
        .array(
          z.strictObject({
            method: z.enum(["email", "popup"]),
            minutes: z.int().min(0).max(reminderMinutesMax),
          }),
        )
        .max(5)
        .optional(),
    })
    .refine(({ useDefault, overrides }) => !useDefault || overrides === undefined)
    .optional(),
  attendees: z
    .array(
      z.strictObject({
        email: z.email(),
        self: z.boolean().optional(),
        responseStatus: z.enum(["needsAction", "declined", "tentative", "accepted"]).optional(),
      }),
    )
    .optional(),
  extendedProperties: z
    .strictObject({ private: properties.optional(), shared: properties.optional() })
    .optional(),
});
export type EventBody = z.output<typeof eventBody>;

/** The event that a request describes. */
export function readEvent(given: unknown): EventBody {
  const { data, error } = eventBody.safeParse(given);
  if (error !== undefined) {
    const [issue] = error.issues;
    throw new GoogleRefusal(
      400,
      "invalid",
      `Invalid value for: ${issue?.path.join(".")}: ${issue?.message}`,
    );
  }
  const forms = [data.start, data.end].map(({ date, dateTime }) =>
    date === undefined ? dateTime && "dateTime" : dateTime === undefined && "date",
  );
  if (!forms[0] || forms[0] !== forms[1]) {
    throw new GoogleRefusal(400, "invalid", "Invalid start time.");
  }
  if (data.recurrence !== undefined && forms[0] === "dateTime" && !data.start.timeZone) {
    throw new GoogleRefusal(400, "required", "Missing time zone definition for start time.");
  }
  if (timeMs(data.end, "UTC") <= timeMs(data.start, "UTC")) {
    throw new GoogleRefusal(400, "timeRangeEmpty", "The specified time range is empty.");
  }
  return data;
}

/** Merges a change into what there is: null removes a field. */
export function merged(before: unknown, change: unknown): unknown {
  if (!isPlain(change)) return change;
  const result: Record<string, unknown> = isPlain(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The moment of a time; a whole day begins in the zone that is given. */
export function timeMs({ date, dateTime }: EventTime, zoneOfDays: string): number {
  if (dateTime !== undefined) return Math.floor(Date.parse(dateTime) / 1_000) * 1_000;
  return Temporal.PlainDate.from(date ?? "").toZonedDateTime(zoneOfDays).epochMilliseconds;
}
