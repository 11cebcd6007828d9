import { agentModel } from "../../adapters/runners/agent-model.ts";
import type { AgentTool } from "../../adapters/runners/agent-turns.ts";
import { agentRunner } from "../../adapters/runners/agent.ts";
import { commandRunner } from "../../adapters/runners/command.ts";
import { httpRunner } from "../../adapters/runners/http.ts";
import { table } from "../../features/index.ts";
import type { Job, Runner } from "../../features/tasks/index.ts";
import { toolOf } from "../../interfaces/mcp/tool.ts";
import { ask } from "../../kernel/ask.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import { childProcess } from "../../platform/child-process.ts";
import { safeFetch, type SafeFetch } from "../../platform/fetch.ts";
import type { Json } from "../../platform/json.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { picked, type Environment } from "../config/environment.ts";

interface Parts {
  config: Config;
  platform: PlatformPorts;
  env: Environment;
  /** What agents ask with. */
  installation: Installation;
}

/** The runners that the settings set up. */
export function runnersFrom({ config, platform, env, installation }: Parts): readonly Runner[] {
  const { clock } = platform;
  const { command, agent } = config.runners;
  const spawn = childProcess({ clock });
  const seen = picked(env, command.env);
  const fetchFrom = (allowHosts: readonly string[], timeoutMs: number): SafeFetch =>
    safeFetch({ clock, timeoutMs, bytesMax: 1_024 * 1_024, allowHosts });
  const { publicUrl } = config.http;
  const http = httpRunner({
    fetch: fetchFrom(config.channels.webhook.allow, Infinity), // its run's own time ends it
    now: () => clock.wall(),
    ...(publicUrl && {
      callbackUrl: ({ owner, id }) => callbackUrl(publicUrl, owner, id),
    }),
  });
  const commands =
    command.allow.length === 0 ? [] : [commandRunner({ ...command, spawn, env: seen })];
  if (agent === undefined) return [http, ...commands];
  const { guard, prices, costMax, turnsMax, key } = agent;
  const made = agentRunner({
    clock,
    model: agentModel({ ...agent, fetch: fetchFrom([new URL(agent.baseUrl).host], 10 * 60_000) }),
    tools: (job) => toolsFor(job, installation),
    turnsMax,
    ...(prices && { prices }),
    ...(costMax !== undefined && { costMax }),
    ...(key !== undefined && { secrets: [key] }),
    ...(guard && { guard: { command: guard, spawn, env: seen, cwd: command.cwd } }),
  });
  return [http, ...commands, made];
}

/** Where the receiver of a run says how it ended. The owner is named, because a run is found in their book. */
function callbackUrl(publicUrl: string, owner: string, id: string): string {
  const path = `callbacks/${encodeURIComponent(owner)}/${encodeURIComponent(id)}`;
  return new URL(path, publicUrl.endsWith("/") ? publicUrl : `${publicUrl}/`).href;
}

/** What a run may ask: the tools that any agent is offered, in its owner's book, from where it was created. */
function toolsFor({ owner, by, origin }: Job, installation: Installation): readonly AgentTool[] {
  const caller: Caller = { owner, by, scopes: ["read", "write"], origin };
  return table
    .filter(({ tool }) => tool === "always")
    .map((operation) => {
      const { name, description = "", inputSchema } = toolOf(operation);
      return {
        name,
        description,
        inputSchema: inputSchema as AgentTool["inputSchema"], // JSON Schema is JSON
        async call(input) {
          const { output } = await ask(installation, operation, input, caller);
          return output as Json; // what every face sends as JSON
        },
      };
    });
}
