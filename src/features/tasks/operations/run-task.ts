import { ask } from "../../../kernel/ask.ts";
import type { Ledger } from "../../../kernel/ledger.ts";
import type { Installation, Caller } from "../../../kernel/operation.ts";
import { find } from "../../../kernel/own-book.ts";
import { portsOver, provide } from "../../../kernel/port.ts";
import { sleep, type Clock } from "../../../platform/clock.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isTask } from "../function.ts";
import { taskKind } from "../kind.ts";
import { runnersHere } from "../runners-here.ts";
import type { TaskDefinition } from "../task-definition.ts";
import { timeText, untilEnd, type RunHandle, type RunNow, type RunOptions } from "./run-handle.ts";
import { runTask } from "./run.ts";

export interface Runs {
  /** Asks for a run of a function, which need not be one that this process runs. */
  run<Input, Output>(
    task: TaskDefinition<Input, Output>,
    input: NoInfer<Input>,
    options?: RunOptions,
  ): Promise<RunHandle>;
}

/** Waits for the end of a run. */
export type AwaitRun = (
  look: () => Promise<RunNow>,
  signal?: AbortSignal,
) => ReturnType<typeof untilEnd>;

export function awaitsBy(clock: Clock): AwaitRun {
  return (look, signal) => untilEnd(look, (ms) => sleep(clock, ms, signal), signal);
}

export interface Ends {
  awaitRun: AwaitRun;
  /** Where ends are seen. */
  ledger: Ledger;
}

/** Runs as one caller asks for them. */
export function runsFor(
  installation: Installation,
  caller: Caller,
  { awaitRun, ledger }: Ends,
): Runs {
  const look = async (id: string): Promise<RunNow> => {
    const { state, outcome } = await find(ledger.of(caller.owner, caller.by), taskKind, id);
    return { status: state, reason: outcome?.reason ?? null, result: outcome?.result ?? null };
  };
  return {
    async run(task, input, { at, key, target, origin = caller.origin } = {}) {
      if (!isTask(task)) {
        const advice = "or ask for one by its name with runTask";
        throw new DaybookError("invalid", `run takes what task() made: give that, ${advice}.`);
      }
      // Its input is checked by the function at hand, whoever runs it.
      const known = { ...installation.use(runnersHere), tasks: [task] };
      const here = {
        ...installation,
        ...portsOver(
          installation,
          provide(runnersHere, () => known),
        ),
      };
      const request = {
        task: task.name,
        input,
        ...(at === undefined ? {} : { at: timeText(at) }),
        ...(key === undefined ? {} : { key }),
        ...(target === undefined ? {} : { target }),
      };
      const { output } = await ask(here, runTask, request, { ...caller, origin });
      const { id, fresh } = runTask.output.parse(output);
      return { id, fresh, result: ({ signal } = {}) => awaitRun(() => look(id), signal) };
    },
  };
}
