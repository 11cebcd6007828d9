import { DaybookError } from "../../../platform/errors.ts";

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
