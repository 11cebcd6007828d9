import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { causeFields } from "../../../kernel/explain.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readInput } from "../../../platform/input-path.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine, quote } from "../../../platform/text.ts";
import { checkCadence, firesAfter } from "../../../time/cadence.ts";
import { renderCadence } from "../../../time/cadence/render.ts";
import { distance, withGuess } from "../../../time/times.ts";
import { dueOf, dueView, guessView, momentOptions } from "../../accounts/index.ts";
import { fields, outlookOf } from "../../notifications/index.ts";
import { recentRuns, runCause } from "../../tasks/index.ts";
import type { ScheduleKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { schedulesIn, findSchedule } from "./find-schedule.ts";
import { scheduleId, scheduleAliases, whenInputs, fromSeeds } from "./inputs.ts";
import { factsIn } from "./limits.ts";
import { requireWhen, withTime } from "./parsed-inputs.ts";
import { renderSchedule } from "./sheet.ts";
import { lineOf, scheduleLine, scheduleView, viewCadence, viewSchedule } from "./view.ts";

const input = z.strictObject({
  name: z.string().optional().describe("only schedules with this text in their name"),
  status: scheduleLine.shape.status.optional().describe("only schedules in this state"),
  cadence_type: scheduleLine.shape.cadence.shape.type
    .optional()
    .describe("only schedules with this type of cadence"),
  notify: scheduleLine.shape.notify
    .optional()
    .describe("only schedules with this `notify` setting"),
  all: fields.all,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(20)
    .describe("how many to list, at most 50. Default: 20"),
  after: fields.after,
});
type Input = z.infer<typeof input>;

const page = z.object({
  schedules: z.array(scheduleLine),
  total: z.number().describe("how many match in total"),
  remaining: z.number().describe("how many follow after this page"),
  next: z.string().nullable().describe("the `after` of the next page; null on the last page"),
});

export const searchSchedules = operation({
  name: "schedule_search",
  summary: "List schedules and when each runs next.",
  input,
  output: page,
  aliases: { name_contains: "name", notification: "notify", notification_policy: "notify" },
  example: { name: "report" },
  route: { method: "GET", path: "/v1/schedules" },
  command: { name: "schedule list", aliases: ["schedules"], positionals: ["name"] },
  tool: "always",
  async run(request, context) {
    const { status: state, all, limit, after } = request;
    const live = state === undefined && !all ? true : undefined;
    const read = await schedulesIn(bookOf(context), { live, state, order: "newest" });
    const found = read.filter((record) => matches(record, request));
    const rest = after === undefined ? found : found.slice(positionOf(after, found) + 1);
    const page = rest.slice(0, limit);
    const remaining = rest.length - page.length;
    const options = await outlookOf(context);
    return {
      schedules: page.map((record) => lineOf(record, options)),
      total: found.length,
      remaining,
      next: remaining === 0 ? null : (page.at(-1)?.id ?? null),
    };
  },
  render({ schedules, total, next }, { language, now }) {
    const texts = textsOf(language);
    if (schedules.length === 0) return texts.noSchedules();
    const lines = schedules.map(
      ({ id, name, status, when, next_run_at: at, consecutive_failures: count }) => {
        const far = at === null ? "" : distance(fromIso(at) - now, language);
        const failures = count === 0 ? "" : `  ${texts.lastFailures(count)}`;
        const state = texts.state(status).padEnd(9);
        return `${id}  ${state}  ${oneLine(name, 40)}  ${when}  ${far}${failures}`.trimEnd();
      },
    );
    const count = schedules.length;
    const more = next === null ? [] : [texts.ofAll({ count, total }), texts.more(next)];
    return [...lines, ...more].join("\n");
  },
});

function matches(
  { body }: LedgerRecord<ScheduleKind>,
  { name = "", cadence_type: type, notify }: Input,
): boolean {
  return (
    body.name.toLowerCase().includes(name.toLowerCase()) &&
    (type ?? body.cadence.type) === body.cadence.type &&
    (notify ?? body.notify) === body.notify
  );
}

function positionOf(id: string, found: readonly LedgerRecord<ScheduleKind>[]): number {
  const at = found.findIndex((record) => record.id === id);
  if (at !== -1) return at;
  throw new DaybookError(
    "invalid",
    `There is no schedule ${quote(id)} on the previous page any more: start with the first page.`,
  );
}

const shownSchedule = scheduleView.extend({
  runs: z.array(z.object({ ...causeFields, run: runCause.optional() })).describe("its newest runs"),
});

export const showSchedule = operation({
  name: "schedule_get",
  summary: "Show a schedule.",
  input: z.strictObject({ id: scheduleId }),
  output: shownSchedule,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/schedules/{id}" },
  command: { name: "schedule show", positionals: ["id"] },
  async run({ id }, context): Promise<z.infer<typeof shownSchedule>> {
    const book = bookOf(context);
    const record = await findSchedule(book, id);
    const runs = await recentRuns(book, record.id);
    return { ...viewSchedule(record, await outlookOf(context)), runs };
  },
  render: renderSchedule,
});

const preview = z.object({
  when: z.string().describe("when it would run, as a phrase"),
  cadence: scheduleView.shape.cadence,
  next: z.array(dueView),
  ...guessView,
});

export const previewSchedule = operation({
  name: "schedule_preview",
  summary: "Preview the times of a schedule without creating it.",
  input: z.strictObject({
    ...whenInputs,
    count: z.coerce
      .number()
      .int()
      .min(1)
      .max(50)
      .default(5)
      .describe("how many times to show, at most 50. Default: 5"),
  }),
  output: preview,
  adapt: fromSeeds,
  effect: "none",
  example: { when: "every weekday 9am" },
  route: { method: "POST", path: "/v1/schedules/preview" },
  command: { name: "schedule preview", aliases: ["preview"], positionals: ["when"] },
  async run(request, context) {
    const options = momentOptions(context, request.timezone);
    const { now } = options;
    const { cadence, assumed, instead } = requireWhen(request, options);
    const { minGapMs } = factsIn(context, now);
    withTime(request, () => readInput("cadence", () => checkCadence(cadence, now, minGapMs)));
    return {
      when: renderCadence(cadence, options),
      cadence: viewCadence(cadence),
      next: firesAfter(cadence, now, request.count).map((at) => dueOf(at, options)),
      assumed,
      instead,
    };
  },
  render: ({ when, next, ...guess }, { language }) =>
    [
      textsOf(language).fires(withGuess(when, guess, language)),
      ...next.map(({ text }) => `  ${text}`),
    ].join("\n"),
});
