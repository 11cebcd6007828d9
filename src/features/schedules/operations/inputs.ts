import * as z from "zod";
import { DaybookError } from "../../../platform/errors.ts";
import { fields } from "../../notifications/index.ts";
import { length, runInput, targetInput, timeoutInput } from "../../tasks/index.ts";
import { misfire, notify, overlap } from "../kind.ts";

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
export type BudgetInput = z.infer<typeof budget>;

/** When it runs, in one of two ways. */
export const whenInputs = {
  when: z.string().optional().describe(whenWords),
  cadence: cadence.describe("when, as data: of the type once, cron, interval or rrule"),
  timezone: fields.timezone,
};
const request = z.object(whenInputs);
export type WhenInput = z.infer<typeof request>;

/** What a schedule has beside its time. */
export const settingInputs = {
  run: runInput.optional().describe("what runs: one of command, task, http and agent"),
  notify: notify
    .optional()
    .describe("whether what a run says is told: always, when it begins with [NOTIFY], never"),
  target: targetInput,
  misfire: misfire
    .optional()
    .describe("what runs of the times that nobody could run: the latest, all or none"),
  overlap: overlap
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
export type SettingsInput = z.infer<typeof settings>;

export const scheduleId = z.string().min(1).describe("which schedule, by its id or name");

type Given = Readonly<Record<string, unknown>>;

/** Other names of the inputs: those of the seeds' own tools. */
export const settingAliases = {
  notification: "notify",
  auto_disable_after_failures: "disable_after_failures",
} as const;
export const scheduleAliases = { schedule_id: "id", ...settingAliases } as const;

/** The seeds say a cadence as its type and a text, and a goal where we say what runs. */
export function fromSeeds(given: Given): Given {
  const { cadence_type: type, cadence_value: value, goal, ...rest } = given;
  return {
    ...rest,
    ...(type === undefined && value === undefined ? {} : { cadence: cadenceOf(type, value, rest) }),
    ...(goal === undefined ? {} : { run: runOf(goal, rest) }),
  };
}

function cadenceOf(type: unknown, value: unknown, rest: Given): unknown {
  if (type === undefined || value === undefined) {
    throw invalid('"cadence_type" and "cadence_value" belong together: give both.');
  }
  if (rest["cadence"] !== undefined) throw invalid('"cadence" is given twice: say it once.');
  const isSeconds = typeof value === "string" && /^\d+$/.test(value.trim());
  if (type === "once") return { type, at: value };
  if (type === "interval") return { type, every: isSeconds ? Number(value) : value };
  return type === "rrule" ? { type, rule: value } : { type, expression: value };
}

const others = { command: "a command", task: "a task", http: "a URL", agent: "an agent" };

/** A goal is what an agent runs by; beside it "run" may say where. */
function runOf(goal: unknown, { run = {} }: Given): unknown {
  // What is no object is told by the check of "run".
  if (typeof run !== "object" || run === null || Array.isArray(run)) return run;
  const given: Given = { ...run };
  const other = Object.entries(others).find(([name]) => ![undefined, goal].includes(given[name]));
  if (other === undefined) return { ...given, agent: goal };
  const advice = 'give one of them; what a schedule is for stands in its "name"';
  throw invalid(`"goal" is what an agent runs by, and "run" has ${other[1]}: ${advice}.`);
}

function invalid(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}
