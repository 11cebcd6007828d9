import * as z from "zod";
import { DaybookError } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { fields } from "../../notifications/index.ts";
import { length, runInput, targetInput, timeoutInput } from "../../tasks/index.ts";
import { misfire, notify, overlap } from "../kind.ts";

const whenText =
  'when it runs, in English or Korean, such as "every weekday 9am", "every 2h", "매주 월요일 10시", "0 3 * * *", "FREQ=MONTHLY;BYDAY=-1FR", or a date and time to run once';

const count = z.coerce.number().int().min(0).max(1_000);

/** The time as structured data, for programs. */
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
  runs_per_day: whole.optional().describe("how many runs it may have in one day"),
  cost_per_day: cost.optional().describe("how much its runs may cost in one day"),
  turns_per_run: whole.optional().describe("how many turns an agent may take in one run"),
  cost_per_run: cost.optional().describe("how much one run of an agent may cost"),
});
export type BudgetInput = z.infer<typeof budget>;

/** The time of a schedule: a text or structured data. */
export const whenInputs = {
  when: z.string().optional().describe(whenText),
  cadence: cadence.describe(
    "when it runs, as structured data of the type once, cron, interval or rrule",
  ),
  timezone: fields.timezone,
};
const request = z.object(whenInputs);
export type WhenInput = z.infer<typeof request>;

/** The settings of a schedule beside its time. */
export const settingInputs = {
  run: runInput.optional().describe("what runs: exactly one of command, task, http and agent"),
  notify: notify
    .optional()
    .describe(
      "whether the output of a run is sent: always, conditional (if it starts with [NOTIFY]) or never. Default: always",
    ),
  target: targetInput,
  misfire: misfire
    .optional()
    .describe(
      "which missed times run once a node is running again: latest, all or none. Default: latest",
    ),
  overlap: overlap
    .optional()
    .describe(
      "what happens when the previous run is still running: skip the new run, queue it, cancel the previous one, or allow both. Default: skip",
    ),
  rerun: z
    .boolean()
    .optional()
    .describe("run again after a crash in the middle of a run. Default: false"),
  timeout: timeoutInput,
  notify_after_failures: count
    .optional()
    .describe("consecutive failures after which you are notified; 0 for never. Default: 3"),
  disable_after_failures: count
    .optional()
    .describe("consecutive failures after which it is disabled; 0 for never. Default: 5"),
  budget: budget.nullable().optional().describe("the limits of its runs. Default: none"),
};
const settings = z.object(settingInputs);
export type SettingsInput = z.infer<typeof settings>;

export const scheduleId = z.string().min(1).describe("the schedule's id or name");

type Given = Readonly<Record<string, unknown>>;

/** Other names of the inputs, from the seeds' own tools. */
export const settingAliases = {
  notification: "notify",
  auto_disable_after_failures: "disable_after_failures",
} as const;
export const scheduleAliases = { schedule_id: "id", ...settingAliases } as const;
/** The name of a schedule's id in tools, which is that of the seeds' own. */
export const toolIds = { shownAs: { id: "schedule_id" } } as const;

/** The seeds' tools take a cadence as its type and a text, and a goal instead of a run. */
export function fromSeeds(given: Given): Given {
  const { cadence_type: type, cadence_value: value, goal, ...rest } = given;
  const hasCadence = type !== undefined || value !== undefined;
  return present({
    ...rest,
    cadence: hasCadence ? cadenceOf(type, value, rest) : rest["cadence"],
    run: goal === undefined ? rest["run"] : runOf(goal, rest),
  });
}

function cadenceOf(type: unknown, value: unknown, rest: Given): unknown {
  if (type === undefined || value === undefined) {
    throw invalid('"cadence_type" and "cadence_value" belong together: give both.');
  }
  if (rest["cadence"] !== undefined) throw invalid('"cadence" is given twice: give it once.');
  const isSeconds = typeof value === "string" && /^\d+$/.test(value.trim());
  if (type === "once") return { type, at: value };
  if (type === "interval") return { type, every: isSeconds ? Number(value) : value };
  return type === "rrule" ? { type, rule: value } : { type, expression: value };
}

const others = { command: "a command", task: "a task", http: "a URL", agent: "an agent" };

/** A goal is the run of an agent; `run` may add its workspace. */
function runOf(goal: unknown, { run = {} }: Given): unknown {
  // The schema of "run" reports a value that is not an object.
  if (typeof run !== "object" || run === null || Array.isArray(run)) return run;
  const given: Given = { ...run };
  const other = Object.entries(others).find(([name]) => ![undefined, goal].includes(given[name]));
  if (other === undefined) return { ...given, agent: goal };
  const advice = 'give one of them; put the purpose of a schedule into its "name"';
  throw invalid(`"goal" is the run of an agent, but "run" has ${other[1]}: ${advice}.`);
}

function invalid(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}
