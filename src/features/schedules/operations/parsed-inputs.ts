import type { Context } from "../../../kernel/operation.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { readInput } from "../../../platform/input-path.ts";
import { present } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { readCadence, readWhen, type CadenceInput, type Cadence } from "../../../time/cadence.ts";
import type { Guess } from "../../../time/times.ts";
import type { MomentOptions } from "../../accounts/index.ts";
import { checkTarget } from "../../notifications/index.ts";
import { type Runnable, runnable, timeoutOf } from "../../tasks/index.ts";
import type { Budget, ScheduleKind } from "../kind.ts";
import type { BudgetInput, SettingsInput, WhenInput } from "./inputs.ts";

type Body = ScheduleKind["body"];

export interface When extends Guess {
  readonly cadence: Cadence;
  /** The time as it was typed. */
  readonly whenText: string;
}

/** A recurrence rule instead of a phrase. Its parts may be in any order. */
const isRule = /^\s*RRULE:|\bFREQ=/i;

/** The requested time; undefined when the request has none. */
export function readWhenInput(
  { when, cadence }: WhenInput,
  options: MomentOptions,
): When | undefined {
  if (when !== undefined && cadence !== undefined) {
    throw new DaybookError(
      "invalid",
      '"when" and "cadence" are two ways to give the time: give one of them.',
      {
        details: { path: "cadence" },
      },
    );
  }
  if (when !== undefined && isRule.test(when)) {
    const rule = { type: "rrule", rule: when } as const;
    const read = () => readInput("cadence", () => readCadence(rule, options));
    return { ...withTime({ when }, read), whenText: when };
  }
  if (when !== undefined) {
    return { ...readInput("when", () => readWhen(when, options)), whenText: when };
  }
  if (cadence === undefined) return undefined;
  const read = readInput("cadence", () => readCadence(cadence, options));
  return { ...read, whenText: textOf(cadence) };
}

/** The requested time, which the request must have. */
export function requireWhen(request: WhenInput, options: MomentOptions): When {
  const when = readWhenInput(request, options);
  if (when !== undefined) return when;
  throw new DaybookError("invalid", 'The time is missing: give one such as "every weekday 9am".', {
    details: { path: "when" },
  });
}

/** Runs an action on a time. An error about the cadence names the input that was typed. */
export function withTime<Result>(request: TimeInput, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const typed = (["every", "when"] as const).find((name) => request[name] !== undefined);
    const isOfTime = hasCode(error, "invalid") && /^cadence\b/.test(String(error.details["path"]));
    if (!isOfTime || typed === undefined) throw error;
    const details = { ...error.details, path: typed };
    throw new DaybookError(error.code, error.message, { cause: error, details });
  }
}

interface TimeInput {
  readonly when?: string | undefined;
  /** The length of an interval, as some operations take it. */
  readonly every?: string | number | undefined;
}

function textOf(cadence: CadenceInput): string {
  switch (cadence.type) {
    case "once":
      return cadence.at;
    case "cron":
      return cadence.expression;
    case "interval":
      return typeof cadence.every === "number"
        ? `every ${cadence.every} s`
        : `every ${cadence.every}`;
    case "rrule":
      return cadence.rule;
  }
}

/** The requested changes of the settings, and the checked run among them. */
export async function settingChanges(
  request: SettingsInput,
  before: Body,
  context: Context,
): Promise<{ changes: Partial<Body>; runnable: Runnable | undefined }> {
  const { notify, target, misfire, overlap, rerun, timeout, budget } = request;
  if (request.run !== undefined) refuseWatch(before);
  const checked =
    request.run === undefined ? undefined : await runnable(request.run, context, before.run);
  if (target !== undefined) await checkTarget(target, context);
  const changes: Partial<Body> = present({
    run: checked?.run,
    notify,
    target,
    misfire,
    overlap,
    rerun,
    timeoutMs: timeout === undefined ? undefined : timeoutOf(timeout, before.timeoutMs),
    notifyAfterFailures: request.notify_after_failures,
    disableAfterFailures: request.disable_after_failures,
    budget: budget ? { ...before.budget, ...budgetOf(budget) } : undefined,
  });
  return { changes, runnable: checked };
}

/** A run in place of a ping would invalidate the watch's address. */
function refuseWatch({ name, run }: Body): void {
  if (!("ping" in run)) return;
  const sentence = `${quote(name)} is a watch, which waits for pings and runs nothing: create a schedule for the run.`;
  throw new DaybookError("refused", sentence);
}

export function budgetOf(request: BudgetInput): Budget {
  return present({
    runsPerDay: request.runs_per_day,
    costPerDay: request.cost_per_day,
    turnsPerRun: request.turns_per_run,
    costPerRun: request.cost_per_run,
  });
}
