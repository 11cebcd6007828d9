import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { parseTime } from "../../../time/times.ts";
import { dueOf, momentOptions } from "../../accounts/moment-view.ts";
import { revision } from "../../tasks/operations/inputs.ts";
import { pausedSchedule, resumedSchedule } from "../change.ts";
import type { ScheduleKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { findLive } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";
import { scheduleAliases } from "./seed-names.ts";
import { scheduleView, shownSchedule } from "./view.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const until = z
  .string()
  .optional()
  .describe("when it goes on by itself, written like the time of a reminder");
const reason = z.string().max(1_000).optional().describe("why; kept with it");
const aliases = { schedule_id: scheduleAliases.schedule_id };

export const pauseSchedule = operation({
  name: "schedule_pause",
  summary: "Let a schedule rest: its times are noted, and do not run.",
  input: z.strictObject({ id: scheduleId, until, reason, revision }),
  output: scheduleView,
  aliases,
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/schedules/{id}/pause" },
  command: { name: "pause", positionals: ["id"] },
  tool: "on request",
  async run({ id, revision: known, ...asked }, context) {
    const pausing = pausesFor(asked, context);
    return shownSchedule(await change(id, known, context, pausing), momentOptions(context));
  },
  render({ name, paused_until: at }, { language, zone, now }) {
    const look = { language, zone, now, zoneFrom: "profile" } as const;
    const until = at === null ? null : dueOf(fromIso(at), look).text;
    return textsOf(language).paused({ name, until });
  },
});

export const resumeSchedule = operation({
  name: "schedule_resume",
  summary: "Let a schedule run again, that is paused or was disabled.",
  input: z.strictObject({ id: scheduleId, revision }),
  output: scheduleView,
  aliases,
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/schedules/{id}/resume" },
  command: { name: "resume", positionals: ["id"] },
  tool: "on request",
  async run({ id, revision: known }, context) {
    const resuming = (record: Schedule) => resumedSchedule(record, context.now());
    return shownSchedule(await change(id, known, context, resuming), momentOptions(context));
  },
  render: ({ name, next }, { language }) =>
    textsOf(language).resumed({ name, next: next[0]?.text ?? null }),
});

type Change = (record: Schedule) => EditOf<ScheduleKind>;

function pausesFor(
  request: { until?: string | undefined; reason?: string | undefined },
  context: Context,
): Change {
  const look = momentOptions(context);
  const until = request.until === undefined ? undefined : parseTime(request.until, look).at;
  const why = { reason: request.reason?.trim() || `paused by ${context.by}` };
  return (record) =>
    pausedSchedule(record, until === undefined ? why : { ...why, until }, look.now);
}

async function change(
  which: string,
  known: number | undefined,
  context: Context,
  changed: Change,
): Promise<Schedule> {
  const book = bookOf(context);
  const write = async (): Promise<Schedule> => {
    const edit = changed(await findLive(book, which));
    return book.edit(known === undefined ? edit : { ...edit, ifRevision: known });
  };
  return known === undefined ? untilFresh(write) : write();
}
