import type { Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { checkTarget } from "../../notifications/index.ts";
import { type Runnable, runnable, timeoutOf } from "../../tasks/index.ts";
import type { Budget, ScheduleKind } from "../kind.ts";
import type { BudgetInput, SettingsInput } from "./inputs.ts";
type Body = ScheduleKind["body"];

/** What was asked to change beside the time. */
export async function requestedChanges(
  request: SettingsInput,
  before: Body,
  context: Context,
): Promise<{ changes: Partial<Body>; ran?: Runnable }> {
  const { notify, target, misfire, overlap, rerun, timeout, budget } = request;
  if (request.run !== undefined) checkRuns(before);
  const ran =
    request.run === undefined ? undefined : await runnable(request.run, context, before.run);
  if (target !== undefined) await checkTarget(target, context);
  const changes: Partial<Body> = {
    ...(ran === undefined ? {} : { run: ran.run }),
    ...(notify === undefined ? {} : { notify }),
    ...(target === undefined ? {} : { target }),
    ...(misfire === undefined ? {} : { misfire }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(rerun === undefined ? {} : { rerun }),
    ...(timeout === undefined ? {} : { timeoutMs: timeoutOf(timeout, before.timeoutMs) }),
    ...failuresOf(request),
    ...(budget === undefined || budget === null
      ? {}
      : { budget: { ...before.budget, ...budgetOf(budget) } }),
  };
  return { changes, ...(ran === undefined ? {} : { ran }) };
}

/** Something else that it runs would take a watch's address away from whoever pings it. */
function checkRuns({ name, run }: Body): void {
  if (!("ping" in run)) return;
  const advice = "make a schedule of its own for what is to run";
  const sentence = `${quote(name)} is a watch, which waits to be pinged and runs nothing: ${advice}.`;
  throw new DaybookError("refused", sentence);
}

export function failuresOf(
  request: SettingsInput,
): Partial<Pick<Body, "notifyAfterFailures" | "disableAfterFailures">> {
  const { notify_after_failures: notifyAfter, disable_after_failures: disableAfter } = request;
  return {
    ...(notifyAfter === undefined ? {} : { notifyAfterFailures: notifyAfter }),
    ...(disableAfter === undefined ? {} : { disableAfterFailures: disableAfter }),
  };
}

export function budgetOf(request: BudgetInput): Budget {
  const { runs_per_day, cost_per_day, turns_per_run, cost_per_run } = request;
  return {
    ...(runs_per_day === undefined ? {} : { runsPerDay: runs_per_day }),
    ...(cost_per_day === undefined ? {} : { costPerDay: cost_per_day }),
    ...(turns_per_run === undefined ? {} : { turnsPerRun: turns_per_run }),
    ...(cost_per_run === undefined ? {} : { costPerRun: cost_per_run }),
  };
}
