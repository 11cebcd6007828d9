import * as z from "zod";
import { fields } from "../../notifications/operations/fields.ts";
import { length, runInput, targetInput, timeoutInput } from "../../tasks/operations/inputs.ts";

const whenWords =
  'when, in English or Korean, such as "every weekday 9am", "every 2h", "매주 월요일 10시", "0 3 * * *", "FREQ=MONTHLY;BYDAY=-1FR", or a moment for once';

const count = z.coerce.number().int().min(0).max(1_000);

/** When, as programs say it. */
const cadence = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("once"), at: z.string() }),
      z.strictObject({
        type: z.literal("cron"),
        expression: z.string(),
        timezone: z.string().optional(),
      }),
      z.strictObject({ type: z.literal("interval"), every: length }),
      z.strictObject({
        type: z.literal("rrule"),
        rule: z.string(),
        start: z.string().optional(),
        timezone: z.string().optional(),
      }),
    ],
    { error: "its type must be once, cron, interval or rrule" },
  )
  .optional();

const whole = z.coerce.number().int().min(1);
const cost = z.coerce.number().gt(0);
const budget = z.strictObject({
  runs_per_day: whole.optional().describe("how often it may run in one day"),
  cost_per_day: cost.optional().describe("what its runs may cost in one day"),
  turns_per_run: whole.optional().describe("how many turns an agent may take in a run"),
  cost_per_run: cost.optional().describe("what one run of an agent may cost"),
});
export type AskedBudget = z.infer<typeof budget>;

/** When it runs, in one of two ways. */
export const whenInputs = {
  when: z.string().optional().describe(whenWords),
  cadence: cadence.describe("when, as data: of the type once, cron, interval or rrule"),
  timezone: fields.timezone,
};
const request = z.object(whenInputs);
export type AskedWhen = z.infer<typeof request>;

/** What a schedule has beside its time. */
export const settingInputs = {
  run: runInput.optional().describe("what runs: one of command, task, http and agent"),
  notify: z
    .enum(["always", "conditional", "never"])
    .optional()
    .describe("whether what a run says is told: always, when it begins with [NOTIFY], never"),
  target: targetInput,
  misfire: z
    .enum(["latest", "all", "none"])
    .optional()
    .describe("what runs of the times that nobody could run: the latest, all or none"),
  overlap: z
    .enum(["skip", "queue", "cancel", "allow"])
    .optional()
    .describe(
      "when the run before is still at work: skip this one, queue it, cancel the other, or allow both",
    ),
  rerun: z.boolean().optional().describe("a run that a crash cut off is made again"),
  timeout: timeoutInput,
  notify_after_failures: count
    .optional()
    .describe("after how many failures in a row you are told; 0 for never"),
  disable_after_failures: count
    .optional()
    .describe("after how many failures in a row it is disabled; 0 for never"),
  budget: budget.nullable().optional().describe("what its runs may use"),
};
const settings = z.object(settingInputs);
export type AskedSettings = z.infer<typeof settings>;

export const scheduleId = z.string().min(1).describe("which schedule, by its id or name");
