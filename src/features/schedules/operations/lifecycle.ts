import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { parseEnd } from "../../../time/future.ts";
import { dueOf, momentOptions } from "../../accounts/index.ts";
import { outlookOf } from "../../notifications/index.ts";
import { taskKind, revision } from "../../tasks/index.ts";
import { pausedSchedule, resumedSchedule, deletedSchedule } from "../change.ts";
import type { ScheduleKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { findLive, findSchedule } from "./find-schedule.ts";
import { scheduleId, scheduleAliases, toolIds } from "./inputs.ts";
import { scheduleView, viewSchedule } from "./view.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const until = z
  .string()
  .optional()
  .describe('when it resumes by itself, such as "friday 9am". Default: not before it is resumed');
const reason = z.string().max(1_000).optional().describe("the reason, kept in its history");
const aliases = { schedule_id: scheduleAliases.schedule_id };

export const pauseSchedule = operation({
  name: "schedule_pause",
  summary: "Pause a schedule: its times are recorded as skipped.",
  input: z.strictObject({ id: scheduleId, until, reason, revision }),
  output: scheduleView,
  aliases,
  toolInputs: toolIds,
  example: { id: exampleId, until: "2026-11-17 08:00", reason: "holiday" },
  route: { method: "POST", path: "/v1/schedules/{id}/pause" },
  command: { name: "schedule pause", aliases: ["pause"], positionals: ["id"] },
  async run({ id, revision: expected, ...request }, context) {
    const pause = pauseFor(request, context);
    return viewSchedule(await change(id, expected, context, pause), await outlookOf(context));
  },
  render({ name, paused_until: at }, { language, zone, now }) {
    const options = { language, zone, now, zoneFrom: "profile" } as const;
    const end = at === null ? null : dueOf(fromIso(at), options).text;
    return textsOf(language).paused({ name, until: end });
  },
});

export const resumeSchedule = operation({
  name: "schedule_resume",
  summary: "Resume a schedule that is paused or disabled.",
  input: z.strictObject({ id: scheduleId, revision }),
  output: scheduleView,
  aliases,
  toolInputs: toolIds,
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/schedules/{id}/resume" },
  command: { name: "schedule resume", aliases: ["resume"], positionals: ["id"] },
  async run({ id, revision: expected }, context) {
    const resume = (record: Schedule) => resumedSchedule(record, context.now());
    return viewSchedule(await change(id, expected, context, resume), await outlookOf(context));
  },
  render: ({ name, next }, { language }) =>
    textsOf(language).resumed({ name, next: next[0]?.text ?? null }),
});

type Change = (record: Schedule) => EditOf<ScheduleKind>;

function pauseFor(
  request: { until?: string | undefined; reason?: string | undefined },
  context: Context,
): Change {
  const options = momentOptions(context);
  const end = request.until === undefined ? undefined : parseEnd(request.until, options).at;
  const pause = { reason: request.reason?.trim() || `paused by ${context.by}`, until: end };
  return (record) => pausedSchedule(record, pause, options.now);
}

async function change(
  which: string,
  expected: number | undefined,
  context: Context,
  changed: Change,
): Promise<Schedule> {
  const book = bookOf(context);
  const write = async (): Promise<Schedule> => {
    const edit = changed(await findLive(book, which));
    return book.edit({ ...edit, ifRevision: expected ?? edit.ifRevision });
  };
  // The caller reads again after a conflict with the revision that it named.
  return expected === undefined ? retryIfStale(write) : write();
}

const output = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  deleted: z.boolean().describe("false: it had ended before"),
});

/** Many runs may end at once, and the end of each edits the schedule. */
const triesMax = 30;

export const deleteSchedule = operation({
  name: "schedule_delete",
  summary: "Delete a schedule. A current run continues, and past runs stay in the book.",
  input: z.strictObject({ id: scheduleId, reason }),
  output,
  aliases,
  toolInputs: toolIds,
  example: { id: exampleId },
  route: { method: "DELETE", path: "/v1/schedules/{id}" },
  command: { name: "schedule delete", positionals: ["id"] },
  tool: "always",
  async run({ id: which, reason: note }, context) {
    const book = bookOf(context);
    const { id } = await findSchedule(book, which);
    return retryIfStale(() => remove(book, id, { reason: note, now: context.now() }), triesMax);
  },
  render({ name, deleted, status: state }, { language }) {
    const texts = textsOf(language);
    return deleted ? texts.scheduleDeleted(name) : texts.scheduleUnchanged({ name, state });
  },
});

async function remove(
  book: Book,
  id: string,
  { reason: note, now }: { reason: string | undefined; now: number },
): Promise<z.infer<typeof output>> {
  const found = await findSchedule(book, id);
  const { body, endedAt, cancelling, state } = found;
  const { name } = body;
  if (endedAt !== null) return { id, name, status: state, deleted: false };
  if (cancelling) return { id, name, status: state, deleted: true };
  const waiting = await waitingRuns(book, id);
  const { edit, consequences } = deletedSchedule(found, { reason: note, waiting }, now);
  try {
    const { state: status } = await book.edit(edit, consequences);
    return { id, name, status, deleted: true };
  } catch (error) {
    // It ended by itself in between.
    if (!hasCode(error, "ended")) throw error;
    return { id, name, status: (await findSchedule(book, id)).state, deleted: false };
  }
}

/** Its runs that have not started. */
async function waitingRuns(book: Book, parent: string): Promise<readonly string[]> {
  const live = await Array.fromAsync(recordsIn(book, { kind: taskKind, parent, live: true }));
  return live
    .filter(({ lease, state }) => lease === null && state === "pending")
    .map(({ id }) => id);
}
