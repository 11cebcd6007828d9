import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { renderList, type Column } from "../../../kernel/list-table.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { Appended, DraftOf } from "../../../kernel/unit.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { nearWords } from "../../../time/times.ts";
import { dayOf } from "../../../time/zone.ts";
import {
  idColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
  wordColumn,
} from "../../accounts/index.ts";
import { requestKey, fields, dayNumbers } from "../../notifications/index.ts";
import {
  taskKind,
  type TaskKind,
  runLine,
  type RunLine,
  runLineOf,
  statusLabel,
  runView,
  runViewOf,
  runOutlookOf,
  textsOf as taskTexts,
} from "../../tasks/index.ts";
import { threaded } from "../handler-slot.ts";
import { runNow } from "../slot.ts";
import { textsOf } from "../texts.ts";
import { findSchedule, findLive } from "./find-schedule.ts";
import { scheduleId, scheduleAliases, toolIds } from "./inputs.ts";
import { overlapRefusal } from "./limits.ts";

const page = z.object({
  schedule_id: z.string(),
  name: z.string(),
  runs: z.array(
    runLine.extend({
      run_id: z.string().describe("the same as id: the name that schedule_run_output takes"),
    }),
  ),
  count: z.number(),
  next: z.string().nullable().describe("the `after` of the next page; null on the last page"),
});

const columns: readonly Column<RunLine>[] = [
  idColumn(({ id }) => id),
  stateColumn((run) => statusLabel(run)),
  ...timeColumns<RunLine>("when", (run) => run.finished_at ?? run.started_at ?? run.slot),
  wordColumn("slot", ({ slot }, reader) => slot && nearWords(fromIso(slot), reader)),
  textColumn("result", (run) => run.output_summary),
  noteColumn(({ waiting, reason, delivery }, { language }) => {
    const texts = textsOf(language);
    if (waiting !== null) return waiting.text;
    if (reason !== null) return texts.reason(reason);
    if (delivery?.status !== "failed") return null;
    return `⚠ ${texts.notDelivered(delivery.reason ?? "")}`;
  }),
];

export const scheduleRuns = operation({
  name: "schedule_runs",
  summary: "List the runs of a schedule, newest first.",
  input: z.strictObject({
    id: scheduleId,
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(20)
      .default(5)
      .describe("how many runs to list, at most 20. Default: 5"),
    after: fields.after,
  }),
  output: page,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  toolInputs: toolIds,
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/schedules/{id}/runs" },
  command: { name: "run list", aliases: ["runs"], positionals: ["id"] },
  tool: "always",
  async run({ id: which, limit, after }, context) {
    const book = bookOf(context);
    const { id, body } = await findSchedule(book, which);
    const query = { kind: taskKind, parent: id, order: "newest", limit, after } as const;
    const { records, next } = await book.list(query);
    const outlook = await runOutlookOf(context);
    const lines = await Promise.all(records.map((record) => runLineOf(book, record, outlook)));
    const runs = lines.map((line) => ({ ...line, run_id: line.id }));
    return { schedule_id: id, name: body.name, runs, count: runs.length, next };
  },
  render({ runs, next }, reader) {
    const { noRuns: empty, more } = textsOf(reader.language);
    return renderList(columns, runs, reader, { next, empty, more });
  },
});

const newRun = runView.partial().extend({
  id: z.string(),
  name: z.string(),
  status: z
    .string()
    .describe("forgotten: the run with the same key has ended, and its record was deleted"),
  fresh: z.boolean().describe("false: a run with the same key exists already"),
});

export const runScheduleNow = operation({
  name: "schedule_run_now",
  summary: "Run a schedule now, in addition to its own times.",
  input: z.strictObject({ id: scheduleId, key: fields.key }),
  output: newRun,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  toolInputs: toolIds,
  effect: "adds",
  example: { id: exampleId },
  route: { method: "POST", path: "/v1/schedules/{id}/run" },
  command: { name: "schedule run", aliases: ["run-now"], positionals: ["id"] },
  async run({ id: which, key: name }, context): Promise<z.infer<typeof newRun>> {
    const book = bookOf(context);
    const schedule = await findLive(book, which);
    const now = context.now();
    const key = name === undefined ? undefined : requestKey(name, { runNow: schedule.id }, now);
    const draft = { ...runNow(schedule, now), key };
    const { id, record, fresh } = await appendRun(context, draft).catch((error: unknown) => {
      throw overlapRefusal(error);
    });
    const about = { id, name: schedule.body.name, fresh };
    if (record === null) return { ...about, status: "forgotten" };
    return { ...(await runViewOf(record, context)), ...about };
  },
  render({ id, name, fresh, status: state }, { language }) {
    return fresh
      ? textsOf(language).runRequested({ name, id })
      : taskTexts(language).runRequestedBefore({ name, state });
  },
});

/** Writes a requested run. A handler's run gets a name and a thread, as its slots do. */
export async function appendRun(
  context: Context,
  draft: DraftOf<TaskKind>,
): Promise<Appended<TaskKind>> {
  const { profile } = context;
  const book = bookOf(context);
  if (draft.body.event === undefined) return book.append(draft);
  const now = context.now();
  const day = dayOf(now, profile.zone);
  const { label } = context.use(dayNumbers);
  const labels = { task: await label("task", day), message: await label("msg", day) };
  const { task, starts } = threaded(draft, labels, now);
  return book.append(task, { append: starts });
}
