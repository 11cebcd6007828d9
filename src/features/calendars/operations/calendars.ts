import * as z from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import {
  idColumn,
  moreLine,
  nameColumn,
  noteColumn,
  stateColumn,
  textColumn,
} from "../../accounts/index.ts";
import { fields } from "../../notifications/index.ts";
import { type CalendarKind, calendarKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { lookInputs, settingsAfter } from "./inputs.ts";
import { renderCalendar } from "./sheet.ts";
import { type CalendarView, calendarView, shownCalendar } from "./view.ts";

type Calendar = LedgerRecord<CalendarKind>;

const calendarId = fields.id.describe("the id of the calendar");
const byId = z.strictObject({ id: calendarId });

const columns: readonly Column<CalendarView>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ state }) => state),
  nameColumn("name", ({ name }) => name),
  nameColumn("type", ({ kind }) => kind),
  textColumn("about", ({ place }) => place ?? ""),
  noteColumn(({ reason }) => reason),
];

export const listCalendars = listOperation(calendarKind, {
  plural: "calendars",
  summary: "List calendars that show the book.",
  filters: { all: fields.all },
  example: {},
  view: calendarView,
  query: ({ all }) => ({ order: "oldest", ...(all ? {} : { live: true }) }),
  show: (record) => shownCalendar(record),
  columns,
  empty: ({ language }) => textsOf(language).none,
  more: moreLine,
});

export const showCalendar = operation({
  name: "show_calendar",
  summary: "Show a calendar: its settings, its last pass and what it waits for.",
  input: byId,
  output: calendarView,
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/calendars/{id}" },
  command: { name: "calendar show", positionals: ["id"] },
  run: async ({ id }, context) =>
    shownCalendar(await findRecord(bookOf(context), calendarKind, id)),
  render: renderCalendar,
});

export const editCalendar = operation({
  name: "edit_calendar",
  summary: "Change the name of a calendar, what it shows, and what follows from changes in it.",
  input: z.strictObject({ id: calendarId, ...lookInputs }),
  output: calendarView,
  aliases: { timezone: "zone", duration_minutes: "minutes" },
  example: { id: exampleId, shows: "nags,schedules" },
  route: { method: "PATCH", path: "/v1/calendars/{id}" },
  command: { name: "calendar edit", positionals: ["id"] },
  async run({ id, ...request }, context) {
    const record = await editedCalendar(id, context, ({ body }) => {
      if (Object.values(request).every((value) => value === undefined)) throw nothingToChange();
      return { ...body, ...settingsAfter(body, request) };
    });
    return shownCalendar(record);
  },
  render: renderCalendar,
});

export const confirmCalendar = operation({
  name: "confirm_calendar",
  summary: "Let a calendar do the removals that its brake holds back.",
  input: byId,
  output: calendarView.extend({ removals: z.number().describe("how many were confirmed") }),
  example: { id: exampleId },
  effect: "changes",
  route: { method: "POST", path: "/v1/calendars/{id}/confirm" },
  command: { name: "calendar confirm", positionals: ["id"] },
  async run({ id }, context) {
    let removals = 0;
    const record = await editedCalendar(id, context, ({ body, outcome }) => {
      if (outcome?.brake == null) throw nothingHeld();
      ({ removals } = outcome.brake);
      return { ...body, confirmed: { removals, asked: body.asked + 1 } };
    });
    return { ...shownCalendar(record), removals };
  },
  render: ({ name, removals }, { language }) => textsOf(language).confirmed({ name, removals }),
});

export const deleteCalendar = operation({
  name: "delete_calendar",
  summary: "Delete a calendar, and remove our entries from it.",
  input: z.strictObject({
    id: calendarId,
    keep: z.union([z.boolean(), z.stringbool()]).default(false).describe("leave the entries there"),
  }),
  output: calendarView.extend({
    deleted: z.boolean().describe("false: it was deleted before"),
  }),
  example: { id: exampleId },
  route: { method: "DELETE", path: "/v1/calendars/{id}" },
  command: { name: "calendar delete", aliases: ["calendar remove"], positionals: ["id"] },
  async run({ id, keep }, context) {
    const book = bookOf(context);
    const before = await findRecord(book, calendarKind, id);
    if (before.endedAt !== null) return { ...shownCalendar(before), deleted: false };
    if (before.body.account.type === "ics") {
      await book.cancel({ id: before.id });
      return { ...shownCalendar(await findRecord(book, calendarKind, before.id)), deleted: true };
    }
    const leaving = keep ? "keep" : "remove";
    const record = await editedCalendar(before.id, context, ({ body }) => ({ ...body, leaving }));
    return { ...shownCalendar(record), deleted: true };
  },
  render: ({ name, state }, { language }) =>
    textsOf(language).deleted({ name, isLeaving: state === "leaving" }),
});

/** Edits what is asked of a calendar, and raises the number of requests, so that a pass follows at once. */
export async function editedCalendar(
  id: string,
  context: Context,
  change: (record: Calendar) => CalendarKind["body"],
): Promise<Calendar> {
  const book = bookOf(context);
  return retryIfStale(async () => {
    const before = await findRecord(book, calendarKind, id);
    if (before.endedAt !== null) throw hasEnded(before);
    const { revision: ifRevision, kind } = before;
    const body = change(before);
    const isFeed = body.account.type === "ics";
    return book.edit<CalendarKind>({
      kind,
      id: before.id,
      ifRevision,
      body: { ...body, asked: before.body.asked + 1 },
      ...(!isFeed && { wakeAt: context.now() }),
    });
  });
}

function hasEnded({ id }: Calendar): DaybookError {
  return new DaybookError("ended", `The calendar ${id} was deleted: create a new one.`);
}

function nothingToChange(): DaybookError {
  const sentence =
    "There is nothing to change: give name, shows, ended, edits, busy, zone or minutes.";
  return new DaybookError("invalid", sentence);
}

function nothingHeld(): DaybookError {
  return new DaybookError(
    "invalid",
    "The brake of this calendar is not on: there is nothing to confirm.",
  );
}
