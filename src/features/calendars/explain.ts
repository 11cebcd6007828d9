import * as z from "zod";
import { explainPart } from "../../kernel/explain.ts";
import { calendarKind, entryKind } from "./kind.ts";
import { calendarView, shownCalendar } from "./operations/view.ts";
import { textsOf } from "./texts.ts";

export const explainCalendar = explainPart({
  key: "calendar",
  kind: calendarKind,
  view: calendarView,
  nullMeaning: "null: it is not a calendar",
  build: async (record) => shownCalendar(record),
  lines: {
    message: ({ name, kind, place }) =>
      place === null ? `${name} (${kind})` : `${name} (${kind} ${place})`,
    rules({ shows, edits, busy, counts, reason, brake, id }, _story, { reader }) {
      const texts = textsOf(reader.language);
      return [
        texts.shows({ shows: ["notifications", ...shows].join(", "), edits, busy }),
        texts.synced(counts),
        ...(reason === null ? [] : [reason]),
        ...(brake === null ? [] : [texts.notices.brake({ id, ...brake })]),
      ];
    },
  },
});

const entryView = z.object({
  calendar: z.string().nullable(),
  record: z.string(),
  event_id: z.string().nullable().describe("the service's own name of it; null: it is not there"),
  error: z.string().nullable().describe("why the last try failed"),
});

export const explainEntry = explainPart({
  key: "calendar_entry",
  kind: entryKind,
  view: entryView,
  nullMeaning: "null: it is not an entry of a calendar",
  build: async ({ parent, body, outcome }) => ({
    calendar: parent,
    record: body.record,
    event_id: outcome?.location?.remoteId ?? null,
    error: outcome?.error ?? null,
  }),
  lines: {
    message: ({ event_id: id }) => id,
    rules: ({ error }) => (error === null ? [] : [error]),
  },
});
