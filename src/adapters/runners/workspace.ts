import type { Job, Runner } from "../../features/tasks/index.ts";
import { clampMs, type Clock } from "../../platform/clock.ts";
import type { Spawn } from "../../platform/process.ts";
import { quote } from "../../platform/text.ts";
import {
  mayRunCommands,
  ownerRefusal,
  readCommand,
  runProgram,
  type ProgramOptions,
} from "./command.ts";
import { finalFailure } from "./result.ts";

/** More often than an idle workspace is put to sleep. */
const inUseEveryMs = 60_000;

/** Runs a program in a workspace, without a shell. */
export function workspaceRunner(
  options: Omit<ProgramOptions, "spawn"> & {
    clock: Clock;
    /** Runs programs in the workspace with this id. */
    exec(workspaceId: string): Spawn;
    /** Default: any program of the workspace. */
    isAllowed?(program: string): boolean;
    /** The owners whose commands run; every owner's by default. */
    owners?: readonly string[] | undefined;
    /** Reports the workspace as in use: at the start, every minute, and at the end. */
    inUse(job: Job, workspaceId: string): Promise<void>;
  },
): Runner {
  return {
    name: "workspace",
    async run(job, context) {
      const command = readCommand(job.input);
      if (typeof command === "string") return finalFailure(command);
      const { workspaceId } = job;
      if (workspaceId === undefined)
        return finalFailure("it names no workspace to run in: set `in: NAME`");
      const [file] = command.argv;
      if (options.isAllowed?.(file) === false) {
        const toDo = "an administrator may list it in DAYBOOK_ALLOW_COMMANDS";
        return finalFailure(`the command ${quote(file)} is not allowed: ${toDo}`);
      }
      if (!mayRunCommands(job, options.owners)) return finalFailure(ownerRefusal(job));
      const ended = whileInUse(options.clock, () => options.inUse(job, workspaceId));
      try {
        const there = { ...options, spawn: options.exec(workspaceId) };
        return await runProgram(there, job, context, command);
      } finally {
        await ended();
      }
    },
  };
}

/** Reports at once, every minute, and at the end. A failed report is made up for by the next. */
function whileInUse(clock: Clock, report: () => Promise<void>): () => Promise<void> {
  let cancelTimer: () => void;
  const repeat = (): void => {
    report().catch(() => undefined);
    cancelTimer = clock.after(clampMs(inUseEveryMs), repeat);
  };
  repeat();
  return () => {
    cancelTimer();
    return report().catch(() => undefined);
  };
}
