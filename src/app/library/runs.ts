import {
  isTask,
  localRunners,
  type RunArguments,
  taskKind,
  type TaskDefinition,
} from "../../features/tasks/index.ts";
import { findRecord } from "../../kernel/book.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Caller, Installation } from "../../kernel/operation.ts";
import { overridePorts, provide } from "../../kernel/port.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { methodsFor } from "./methods.ts";
import {
  timeText,
  untilEnd,
  type RunHandle,
  type RunOptions,
  type RunStatus,
} from "./run-handle.ts";

export interface Runs {
  /** Requests a run of a function; another process may be the one that runs it. */
  run<Input, Output>(
    task: TaskDefinition<Input, Output>,
    ...request: RunArguments<NoInfer<Input>, RunOptions>
  ): Promise<RunHandle>;
}

/** Waits for the end of a run. */
export type AwaitRun = (
  read: () => Promise<RunStatus>,
  signal?: AbortSignal,
) => ReturnType<typeof untilEnd>;

export function awaitRunWith(clock: Clock): AwaitRun {
  return (read, signal) => untilEnd(read, (ms) => sleep(clock, ms, signal), signal);
}

export interface RunEnds {
  awaitRun: AwaitRun;
  /** Where the end of a run is read: never in a transaction of the caller. */
  ledger: Ledger;
}

/** Runs of functions, as one caller requests them. */
export function runsFor(
  installation: Installation,
  caller: Caller,
  { awaitRun, ledger }: RunEnds,
): Runs {
  const read = async (id: string): Promise<RunStatus> => {
    const { state, outcome } = await findRecord(ledger.of(caller.owner, caller.by), taskKind, id);
    return { status: state, reason: outcome?.reason ?? null, result: outcome?.result ?? null };
  };
  return {
    async run(task, ...[input, { at, key, target, origin = caller.origin } = {}]) {
      if (!isTask(task)) {
        const advice = "or ask for one by its name with runTask";
        throw new DaybookError("invalid", `run takes what task() made: give that, ${advice}.`);
      }
      // The function checks its own input, whichever process runs it.
      const runners = { ...installation.use(localRunners), tasks: [task] };
      const ports = overridePorts(
        installation,
        provide(localRunners, () => runners),
      );
      const { runTask } = methodsFor({ ...installation, ...ports }, { ...caller, origin });
      const options = present({ at: at === undefined ? at : timeText(at), key, target });
      const { id, fresh } = await runTask({ task: task.name, input, ...options });
      return { id, fresh, result: ({ signal } = {}) => awaitRun(() => read(id), signal) };
    },
  };
}
