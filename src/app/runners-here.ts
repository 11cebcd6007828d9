import { allowedProgram } from "../features/tasks/allow.ts";
import type { RunnersHere } from "../kernel/operation.ts";
import { permit } from "../platform/permit.ts";
import type { Config } from "./config/resolve.ts";

/** What may be asked to run, under these settings. */
export function runnersHere({ runners, channels }: Config): RunnersHere {
  const { allow, cwd } = runners.command;
  return {
    http: (url) => void permit(url, channels.webhook.allow),
    agent: runners.agent !== undefined,
    command: allow.length > 0 && ((program) => allowedProgram(program, allow, cwd) !== undefined),
  };
}
