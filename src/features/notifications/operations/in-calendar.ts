import * as z from "zod";
import type { Context } from "../../../kernel/operation.ts";
import { port } from "../../../kernel/port.ts";

/** Where a calendar shows a notification. */
const calendarView = z.object({
  name: z.string(),
  event_id: z.string().nullable().describe("the calendar's own name of it; null: not written yet"),
  state: z.string().describe("synced, waiting, failed, kept or removed"),
  url: z.string().nullable(),
});
export interface CalendarMark extends z.output<typeof calendarView> {
  readonly isGoogle: boolean;
}

/** Finds the calendar entry of a notification; null: no calendar shows it. */
export const calendarMark = port<(context: Context, id: string) => Promise<CalendarMark | null>>(
  "notifications.calendarMark",
  () => Promise.resolve(null),
);

export const calendarFields = {
  calendar: calendarView
    .nullable()
    .describe("its entry in the owner's calendar, in lists and where it is shown; null: none"),
  gcal_event_id: z
    .string()
    .nullable()
    .describe("the event in Google Calendar, in lists and where it is shown; null: none"),
};
type CalendarFields = z.output<z.ZodObject<typeof calendarFields>>;

export const inNoCalendar: CalendarFields = { calendar: null, gcal_event_id: null };

/** The view with its calendar entry. */
export async function inCalendar<View extends CalendarFields & { readonly id: string }>(
  view: View,
  context: Context,
): Promise<View> {
  const mark = await context.use(calendarMark)(context, view.id);
  if (mark === null) return view;
  const { isGoogle, ...calendar } = mark;
  return { ...view, calendar, gcal_event_id: isGoogle ? calendar.event_id : null };
}
