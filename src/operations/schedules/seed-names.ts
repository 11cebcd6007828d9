import { DaybookError } from "../../base/errors.ts";

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

function runOf(goal: unknown, { run }: Given): unknown {
  if (run === undefined) return { agent: goal };
  throw invalid('"goal" is what an agent runs by: leave it out, or leave out "run".');
}

function invalid(sentence: string): DaybookError {
  return new DaybookError("invalid", sentence);
}
