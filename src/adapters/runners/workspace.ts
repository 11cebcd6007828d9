import type { Job, Runner } from "../../features/tasks/runner.ts";
import { clampMs, type Clock } from "../../platform/clock.ts";
import type { Spawn } from "../../platform/process.ts";
import { quote } from "../../platform/text.ts";
import { readCommand, runProgram, type ProgramOptions } from "./command.ts";
import { finalFailure } from "./result.ts";

interface WorkspaceOptions extends Omit<ProgramOptions, "spawn"> {
  clock: Clock;
  /** Runs programs in the workspace with this id. */
  exec(workspaceId: string): Spawn;
  /** Whether a program may be run there; absent: whatever the workspace has. */
  isAllowed?(program: string): boolean;
  /** It is in use now: told at the beginning, at the end, and again and again between. */
  inUse(job: Job, workspaceId: string): Promise<void>;
}

/** Sooner than a workspace that nobody uses is put to sleep. */
const inUseEveryMs = 60_000;

/** Runs a program in a workspace, from its list of arguments, without a shell. */
export function workspaceRunner(options: WorkspaceOptions): Runner {
  return {
    name: "workspace",
    async run(job, desk) {
      const asked = readCommand(job.input);
      if (typeof asked === "string") return finalFailure(asked);
      const { place } = job;
      if (place === undefined)
        return finalFailure("it names no workspace to run in: say `in: NAME`");
      const { file, args, cwd } = asked;
      if (options.isAllowed?.(file) === false) {
        const toDo = "an administrator may list it in DAYBOOK_ALLOW_COMMANDS";
        return finalFailure(`the command ${quote(file)} is not allowed: ${toDo}`);
      }
      const program = { argv: [file, ...args] as const, ...(cwd === undefined ? {} : { cwd }) };
      const ended = whileInUse(options.clock, () => options.inUse(job, place));
      try {
        return await runProgram({ ...options, spawn: options.exec(place) }, job, desk, program);
      } finally {
        await ended();
      }
    },
  };
}

/** Says so at once, then every minute, and once more at the end. What cannot be said is said the next time. */
function whileInUse(clock: Clock, say: () => Promise<void>): () => Promise<void> {
  let cancelTimer: () => void;
  const tell = (): void => {
    say().catch(() => undefined);
    cancelTimer = clock.after(clampMs(inUseEveryMs), tell);
  };
  tell();
  return () => {
    cancelTimer();
    return say().catch(() => undefined);
  };
}
