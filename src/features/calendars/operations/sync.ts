import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { fields } from "../../notifications/index.ts";
import { calendarKind } from "../kind.ts";
import { openCalendar } from "../open-calendar.ts";
import { type CalendarRecord, planPass } from "../pass.ts";
import type { Step } from "../plan.ts";
import { calendarConnectors, callTime } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { nothingSynced } from "../verdict.ts";
import { editedCalendar } from "./calendars.ts";
import { countsView } from "./view.ts";

const calendarId = fields.id.describe("the id of the calendar");

const waitMs = 60_000;
const checkMs = 200;

export const syncCalendar = operation({
  name: "sync_calendar",
  summary: "Sync a calendar now, and wait until that is done.",
  input: z.strictObject({ id: calendarId }),
  output: countsView.extend({ id: z.string() }),
  example: { id: exampleId },
  effect: "changes",
  route: { method: "POST", path: "/v1/calendars/{id}/sync" },
  command: { name: "calendar sync", positionals: ["id"] },
  async run({ id: typed }, context) {
    const before = await findRecord(bookOf(context), calendarKind, typed);
    if (before.body.account.type === "ics") throw isFeed();
    const failures = before.outcome?.failures ?? 0;
    const { id, body } = await editedCalendar(before.id, context, (record) => record.body);
    const until = context.now() + waitMs;
    for (;;) {
      const { outcome } = await findRecord(bookOf(context), calendarKind, id);
      if (outcome !== null && outcome.asked >= body.asked) return { id, ...outcome.counts };
      if (outcome?.reason != null && outcome.failures !== failures) throw failed(outcome.reason);
      if (context.now() >= until) throw unanswered(id);
      await context.use(callTime).pause(checkMs);
    }
  },
  render: (counts, { language }) => textsOf(language).synced(counts),
});

const plannedView = z.object({
  record: z.string().nullable().describe("the id of the record; null: it is not known"),
  do: z.enum(["create", "update", "remove", "record", "take_over", "cancel", "confirm", "wait"]),
  why: z.string(),
  title: z.string().nullable(),
  at: z.string().nullable(),
});

const planned = z.object({
  id: z.string(),
  changes: z.array(plannedView),
  unchanged: z.number(),
  brake: z.object({ removals: z.number(), entries: z.number() }).nullable(),
});

export const planCalendar = operation({
  name: "plan_calendar",
  summary: "Show what the next pass over a calendar would change, and why.",
  input: z.strictObject({ id: calendarId }),
  output: planned,
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/calendars/{id}/plan" },
  command: { name: "calendar plan", positionals: ["id"] },
  async run({ id: typed }, context): Promise<z.output<typeof planned>> {
    const record = await findRecord(bookOf(context), calendarKind, typed);
    const { id, body, outcome } = record;
    // A feed is made when it is read, so it is never behind.
    if (body.account.type === "ics") return { id, changes: [], unchanged: 0, brake: null };
    const opened = openCalendar(record, context.use(calendarConnectors));
    if ("error" in opened) throw opened.error;
    const plan = await planPass(bookOf(context), {
      ...opened,
      record: record as CalendarRecord, // a plan needs no lease
      position: outcome ?? nothingSynced,
      profile: context.profile,
      now: context.now(),
      signal: context.use(callTime).limit(waitMs),
    });
    if ("saw" in plan) throw plan.error;
    const changes = plan.planned.flatMap(({ item, step }) => shownStep(item.record, step));
    const unchanged = plan.planned.length - changes.length;
    return { id, changes, unchanged, brake: plan.brake };
  },
  render: ({ changes, unchanged, brake, id }, { language }) =>
    textsOf(language).plan({ id, changes, unchanged, brake }),
});

function shownStep(id: string, step: Step): readonly z.output<typeof plannedView>[] {
  const shown = { record: id === "" ? null : id, ...shownContent(step) };
  switch (step.do) {
    case "nothing":
      return [];
    case "put":
      return [{ ...shown, do: step.known === null ? "create" : "update", why: step.why }];
    case "remove":
      return [{ ...shown, do: "remove", why: step.why }];
    case "note":
      return [{ ...shown, do: "record", why: "seen" }];
    case "take over":
      return [{ ...shown, do: "take_over", why: Object.keys(step.edited).join(", ") }];
    case "cancel":
      return [{ ...shown, do: "cancel", why: "removed there" }];
    case "doubt":
      return [{ ...shown, do: "confirm", why: "missing there" }];
    case "wait":
      return [{ ...shown, do: "wait", why: "failed before" }];
  }
}

function shownContent(step: Step): { title: string | null; at: string | null } {
  const content = "content" in step ? step.content : null;
  return content === null
    ? { title: null, at: null }
    : { title: content.title, at: isoOf(content.at) };
}

function isFeed(): DaybookError {
  return new DaybookError(
    "unsupported",
    "A feed is made when it is read: there is nothing to sync.",
  );
}

function failed(reason: string): DaybookError {
  return new DaybookError("unavailable", `The calendar could not be synced: ${reason}`);
}

function unanswered(id: string): DaybookError {
  const sentence = `The pass is not complete after a minute: see daybook calendar show ${id}, and start a node with daybook start if none runs.`;
  return new DaybookError("unavailable", sentence, { details: { id } });
}
