import type { Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readInput, prefixInputPath } from "../../../platform/input-path.ts";
import { present } from "../../../platform/json.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { timeoutMsDefault as timeoutMs } from "../kind.ts";
import { runWorkspacesIn, workerNames, localRunners } from "../ports.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunInput } from "./inputs.ts";
import {
  builtInRunners,
  runTypeNames,
  runTypes,
  type Runnable,
  type RunRequest,
} from "./run-types.ts";

/** What an input runs. Throws unless it can run here. `before`: what the schedule ran so far. */
export async function runnable(
  input: RunInput,
  context: Context,
  before?: RunSpec,
): Promise<Runnable> {
  const { in: workspace } = input;
  const missingWorkspace =
    workspace === undefined
      ? undefined
      : await runWorkspacesIn(context).checkRunIn(workspace, context);
  if (before !== undefined && !("ping" in before) && Object.keys(input).join() === "in") {
    const run = workspace === undefined ? before : { ...before, in: workspace };
    return { run, timeoutMs, missingWorkspace };
  }
  const ran = await runnableWithout(input, { context, before }).catch((error: unknown) => {
    throw prefixInputPath("run", error);
  });
  return workspace === undefined || "ping" in ran.run
    ? ran
    : { ...ran, run: { ...ran.run, in: workspace }, missingWorkspace };
}

/** What an input runs, without its workspace. */
async function runnableWithout(input: RunInput, request: RunRequest): Promise<Runnable> {
  checkOne(input);
  const name = runTypeNames.find((each) => input[each] !== undefined) ?? "task";
  return runTypes[name](input, request);
}

/** Whether a program here runs tasks of that name. Another program over the same book may. */
export function isRunLocally(name: string, context: Context): boolean {
  const runners = context.use(localRunners);
  if (name === "command" || name === "http" || name === "agent") {
    return (runners[name] ?? false) !== false;
  }
  if (context.use(workerNames).includes(name)) return true;
  return (
    builtInRunners.includes(name) || runners.tasks?.some((task) => task.name === name) === true
  );
}

/** A timeout in milliseconds: of "10m", or of seconds. */
export function timeoutOf(request: string | number | undefined, otherwise: number): number {
  return request === undefined ? otherwise : readInput("timeout", () => readLength(request));
}

function checkOne({ command, cwd, task, input, http, agent }: RunInput): void {
  const given = [command, task, http, agent].filter((each) => each !== undefined);
  const types = "a command, a task, an http URL or an agent's goal";
  if (given.length > 1) {
    throw invalid(`A run has one of ${types}, not ${given.length}: make a schedule for each.`);
  }
  const misplaced = (field: string, owner: string, of: string): DaybookError => {
    const advice = given.length === 0 ? `give ${owner} with it` : "leave it out";
    return invalid(`"${field}" sets ${of}: ${advice}.`, field);
  };
  if (cwd !== undefined && command === undefined) {
    throw misplaced("cwd", "the command", "the folder of a command");
  }
  if (input !== undefined && task === undefined) {
    throw misplaced("input", "the task", "the input of a task");
  }
  if (given.length === 0) throw invalid(`Nothing to run: give ${types}.`);
}

function invalid(sentence: string, path?: string): DaybookError {
  return new DaybookError("invalid", sentence, { details: present({ path }) });
}
