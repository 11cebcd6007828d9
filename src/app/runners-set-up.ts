import type { CallRule } from "../features/notifications/index.ts";
import { allowedProgram, type LocalRunners } from "../features/tasks/index.ts";
import { permit } from "../platform/permit.ts";
import type { Config } from "./config/config.ts";

/** What can run under these settings. */
export function runnersSetUp(config: Config): LocalRunners {
  const { command, agent } = config.runners;
  const { allow, cwd, owners } = command;
  return {
    http: callRuleOf(config),
    agent: agent !== undefined,
    command: allow.length > 0 && ((program) => allowedProgram(program, allow, cwd) !== undefined),
    commandOwners: owners,
  };
}

/** Throws for a URL that must not be called. */
export function callRuleOf({ channels }: Config): CallRule {
  return (url) => void permit(url, channels.webhook.allow);
}
