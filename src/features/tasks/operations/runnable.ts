import type { Context } from "../../../kernel/operation.ts";
import { atPath, prefixPath } from "../../../platform/at-path.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { timeoutMsDefault as timeoutMs } from "../kind.ts";
import { runWorkspacesIn, workerNames, localRunners } from "../ports.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunInput } from "./inputs.ts";
import { ours, runTypeNames, runTypes, type Runnable, type RunRequest } from "./run-types.ts";

/** What is to be run, if it can be run here. `before`: what the schedule ran so far. */
export async function runnable(
  input: RunInput,
  context: Context,
  before?: RunSpec,
): Promise<Runnable> {
  if (input.in !== undefined) await runWorkspacesIn(context).checkRunIn(input.in, context);
  const workspace = input.in === undefined ? {} : { in: input.in };
  if (before !== undefined && !("ping" in before) && Object.keys(input).join() === "in") {
    return { run: { ...before, ...workspace }, timeoutMs };
  }
  const ran = await runnableLocally(input, { context, before }).catch((error: unknown) => {
    throw prefixPath("run", error);
  });
  return "ping" in ran.run ? ran : { ...ran, run: { ...ran.run, ...workspace } };
}

async function runnableLocally(input: RunInput, request: RunRequest): Promise<Runnable> {
  checkOne(input);
  const name = runTypeNames.find((each) => input[each] !== undefined) ?? "task";
  return runTypes[name].runnable(input, request);
}

/** Whether anybody here runs what has that name: another program over the same book may. */
export function isRunLocally(name: string, context: Context): boolean {
  const runners = context.use(localRunners);
  if (name === "command" || name === "http" || name === "agent") {
    return (runners[name] ?? false) !== false;
  }
  if (context.use(workerNames).includes(name)) return true;
  return ours.includes(name) || runners.tasks?.some((task) => task.name === name) === true;
}

/** How long a run may take: "10m", or seconds. */
export function timeoutOf(request: string | number | undefined, otherwise: number): number {
  return request === undefined ? otherwise : atPath("timeout", () => readLength(request));
}

function checkOne({ command, cwd, task, input, http, agent }: RunInput): void {
  const said = [command, task, http, agent].filter((each) => each !== undefined);
  const which = "a command, a task, an http URL or an agent's goal";
  if (said.length > 1) throw invalid(`It can run one thing: ${which}. Make a schedule for each.`);
  if (cwd !== undefined && command === undefined) {
    throw invalid(
      `"cwd" is the folder of a command: ${said.length === 0 ? "give the command with it" : "leave it out"}.`,
      "cwd",
    );
  }
  if (input !== undefined && task === undefined) {
    throw invalid(
      `"input" is what a task gets: ${said.length === 0 ? "give the task with it" : "leave it out"}.`,
      "input",
    );
  }
  if (said.length === 0) throw invalid(`Say what runs: ${which}.`);
}

function invalid(sentence: string, path?: string): DaybookError {
  return new DaybookError("invalid", sentence, path === undefined ? {} : { details: { path } });
}
