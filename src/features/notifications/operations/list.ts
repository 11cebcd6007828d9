import * as z from "zod";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import {
  idColumn,
  moreLine,
  nameColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
} from "../../accounts/index.ts";
import { outlookOf } from "../hold.ts";
import { notificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { fields } from "./fields.ts";
import { filterOf, filters } from "./filters.ts";
import { inCalendar } from "./in-calendar.ts";
import { notificationView, shown, type NotificationView } from "./view.ts";

const states = [
  "pending",
  "delivered",
  "done",
  "failed",
  "cancelled",
  "unconfirmed",
  "expired",
] as const;

export const notificationColumns: readonly Column<NotificationView>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ state }) => state),
  ...timeColumns<NotificationView>("when", ({ ended_at: end, due }) => end ?? due.utc),
  nameColumn("target", ({ target }) => target),
  textColumn("message", ({ message }) => message),
  noteColumn(({ waiting, state, reason }, { language }) => {
    if (waiting !== null) return waiting.text;
    return state === "delivered" || reason === null ? null : textsOf(language).reason(reason);
  }),
];

export const list = listOperation(notificationKind, {
  plural: "notifications",
  summary: "List notifications that wait, next first; ended ones, newest first.",
  command: "list",
  aliases: { status: "state" },
  tool: "always",
  toolInputs: { seldom: ["target", "type", "priority", "collapse_key", "since", "until", "sort"] },
  filters: {
    all: fields.all,
    state: z.enum(states).optional().describe("only those in this state"),
    ...filters,
    sort: fields.sort,
  },
  example: { all: true, limit: 10 },
  dueAt: ({ body }) => body.at,
  matching: filterOf,
  view: notificationView,
  share: (context) => outlookOf(context),
  show: (record, context, outlook) => inCalendar(shown(record, outlook), context),
  columns: notificationColumns,
  empty: ({ language }) => textsOf(language).nothingListed(),
  more: moreLine,
});
