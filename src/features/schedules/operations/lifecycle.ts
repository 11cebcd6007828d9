import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { parseTime } from "../../../time/times.ts";
import { dueOf, momentOptions } from "../../accounts/index.ts";
import { taskKind, revision } from "../../tasks/index.ts";
import { pausedSchedule, resumedSchedule, deletedSchedule } from "../change.ts";
import type { ScheduleKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { findLive, findSchedule } from "./find-schedule.ts";
import { scheduleId, scheduleAliases } from "./inputs.ts";
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
  example: { id: exampleId, until: "2026-11-17 08:00", reason: "holiday" },
  route: { method: "POST", path: "/v1/schedules/{id}/pause" },
  command: { name: "pause", positionals: ["id"] },
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
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/schedules/{id}/resume" },
  command: { name: "resume", positionals: ["id"] },
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

const output = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  deleted: z.boolean().describe("false: it had ended before"),
});

/** Many runs may end at once, and each is counted in it. */
const triesMax = 30;

export const deleteSchedule = operation({
  name: "schedule_delete",
  summary: "Run something no more. What is running goes on, and all that ran stays in the book.",
  input: z.strictObject({
    id: scheduleId,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  example: { id: exampleId },
  route: { method: "DELETE", path: "/v1/schedules/{id}" },
  command: { name: "schedule delete", positionals: ["id"] },
  tool: "always",
  async run({ id: which, reason }, context) {
    const book = bookOf(context);
    const { id } = await findSchedule(book, which);
    return untilFresh(() => endIt(book, id, { reason, now: context.now() }), triesMax);
  },
  render({ name, deleted, status: state }, { language }) {
    const texts = textsOf(language);
    return deleted ? texts.scheduleDeleted(name) : texts.scheduleGone({ name, state });
  },
});

async function endIt(
  book: Book,
  id: string,
  { reason, now }: { reason: string | undefined; now: number },
): Promise<z.infer<typeof output>> {
  const found = await findSchedule(book, id);
  const { body, endedAt, cancelling, state } = found;
  const { name } = body;
  if (endedAt !== null) return { id, name, status: state, deleted: false };
  if (cancelling) return { id, name, status: state, deleted: true };
  const waiting = await waitingRuns(book, id);
  const { edit, consequences } = deletedSchedule(found, { reason, waiting }, now);
  try {
    const { state: status } = await book.edit(edit, consequences);
    return { id, name, status, deleted: true };
  } catch (error) {
    // It ended by itself meanwhile.
    if (!hasCode(error, "ended")) throw error;
    return { id, name, status: (await findSchedule(book, id)).state, deleted: false };
  }
}

/** Its runs that nobody has begun: they wait for their turn. */
async function waitingRuns(book: Book, parent: string): Promise<readonly string[]> {
  const live = await Array.fromAsync(recordsIn(book, { kind: taskKind, parent, live: true }));
  return live
    .filter(({ lease, state }) => lease === null && state === "pending")
    .map(({ id }) => id);
}
