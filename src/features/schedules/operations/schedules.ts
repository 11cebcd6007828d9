import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { causeFields } from "../../../kernel/explain.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { readInput } from "../../../platform/input-path.ts";
import { checkCadence, firesAfter } from "../../../time/cadence.ts";
import { renderCadence } from "../../../time/cadence/render.ts";
import { withGuess } from "../../../time/times.ts";
import { dueOf, dueView, guessView, momentOptions } from "../../accounts/index.ts";
import { outlookOf } from "../../notifications/index.ts";
import { recentRuns, runCause } from "../../tasks/index.ts";
import { textsOf } from "../texts.ts";
import { findSchedule } from "./find-schedule.ts";
import { scheduleId, scheduleAliases, toolIds, whenInputs, fromSeeds } from "./inputs.ts";
import { factsIn } from "./limits.ts";
import { requireWhen, withTime } from "./parsed-inputs.ts";
import { renderSchedule } from "./sheet.ts";
import { scheduleView, viewCadence, viewSchedule } from "./view.ts";

const shownSchedule = scheduleView.extend({
  runs: z.array(z.object({ ...causeFields, run: runCause.optional() })).describe("its newest runs"),
});

export const showSchedule = operation({
  name: "schedule_get",
  summary: "Show a schedule.",
  input: z.strictObject({ id: scheduleId }),
  output: shownSchedule,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  toolInputs: toolIds,
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
