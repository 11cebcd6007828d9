import { permit } from "../base/permit.ts";
import type { Config } from "../config/resolve.ts";
import type { RunnersHere } from "../operations/operation.ts";
import { allowedProgram } from "../runners/allow.ts";

/** What may be asked to run, under these settings. */
export function runnersHere({ runners, channels }: Config): RunnersHere {
  const { allow, cwd } = runners.command;
  return {
    http: (url) => void permit(url, channels.webhook.allow),
    agent: runners.agent !== undefined,
    command: allow.length > 0 && ((program) => allowedProgram(program, allow, cwd) !== undefined),
  };
}
