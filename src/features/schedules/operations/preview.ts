import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { atPath } from "../../../platform/at-path.ts";
import { checkCadence } from "../../../time/cadence.ts";
import { renderCadence } from "../../../time/cadence/render.ts";
import { dueView, momentOptions } from "../../accounts/moment-view.ts";
import { textsOf } from "../texts.ts";
import { whenNeeded, withTime } from "./input-when.ts";
import { whenInputs } from "./inputs.ts";
import { makingIn } from "./make.ts";
import { fromSeeds } from "./seed-names.ts";
import { firesShownOf, scheduleView, shownCadence } from "./view.ts";

const output = z.object({
  when: z.string().describe("when it would run, as a sentence"),
  cadence: scheduleView.shape.cadence,
  next: z.array(dueView),
  assumed: z.string().optional().describe("what the time did not say and was taken"),
});

export const previewSchedule = operation({
  name: "schedule_preview",
  summary: "Show when something would run, and write nothing.",
  input: z.strictObject({
    ...whenInputs,
    count: z.coerce.number().int().min(1).max(50).default(5).describe("how many times to show"),
  }),
  output,
  adapt: fromSeeds,
  scope: "read",
  effect: "none",
  route: { method: "POST", path: "/v1/schedules/preview" },
  command: { name: "preview", positionals: ["when"] },
  tool: "on request",
  async run(request, context) {
    const look = momentOptions(context, request.timezone);
    const { cadence, assumed } = whenNeeded(request, look);
    const { minGapMs } = makingIn(context, look.now);
    withTime(request, () => atPath("cadence", () => checkCadence(cadence, look.now, minGapMs)));
    return {
      when: renderCadence(cadence, look),
      cadence: shownCadence(cadence),
      next: firesShownOf(cadence, look, request.count),
      ...(assumed === undefined ? {} : { assumed }),
    };
  },
  render: ({ when, next }, { language }) =>
    [textsOf(language).fires(when), ...next.map(({ text }) => `  ${text}`)].join("\n"),
});
