import { agentModel } from "../../adapters/runners/agent-model.ts";
import type { AgentTool } from "../../adapters/runners/agent-turns.ts";
import { agentRunner } from "../../adapters/runners/agent.ts";
import { commandRunner } from "../../adapters/runners/command.ts";
import { httpRunner } from "../../adapters/runners/http.ts";
import { table } from "../../features/index.ts";
import type { Job, Runner } from "../../features/tasks/index.ts";
import { toolOf } from "../../interfaces/mcp/tool.ts";
import { callOperation } from "../../kernel/call.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import { childProcess } from "../../platform/child-process.ts";
import { safeFetch, type SafeFetch } from "../../platform/fetch.ts";
import type { Json } from "../../platform/json.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { picked, type Environment } from "../config/environment.ts";

interface Parts {
  config: Config;
  current(): Config;
  platform: PlatformPorts;
  env: Environment;
  /** For the tools of agents. */
  installation: Installation;
}

/** The runners of the settings. */
export function runnersFrom(parts: Parts): readonly Runner[] {
  const { config, current, platform, env, installation } = parts;
  const { clock } = platform;
  const { command, agent } = config.runners;
  const spawn = childProcess({ clock });
  const given = picked(env, command.env);
  const folder = (): string => current().runners.command.cwd;
  const fetchFrom = (allowHosts: readonly string[], timeoutMs: number): SafeFetch =>
    safeFetch({ clock, timeoutMs, bytesMax: 1_024 * 1_024, allowHosts });
  const { publicUrl } = config.http;
  const http = httpRunner({
    fetch: fetchFrom(config.channels.webhook.allow, Infinity), // the timeout of the run applies
    now: () => clock.wall(),
    callbackUrl:
      publicUrl === undefined ? undefined : ({ owner, id }) => callbackUrl(publicUrl, owner, id),
  });
  const commands =
    command.allow.length === 0 ? [] : [commandRunner({ ...command, spawn, env: given, folder })];
  if (agent === undefined) return [http, ...commands];
  const { guard, prices, costMax, turnsMax, key } = agent;
  const agents = agentRunner({
    clock,
    model: agentModel({ ...agent, fetch: fetchFrom([new URL(agent.baseUrl).host], 10 * 60_000) }),
    tools: (job) => toolsFor(job, installation),
    profile: (owner) => installation.readProfile(owner),
    turnsMax,
    prices,
    costMax,
    secrets: key === undefined ? undefined : [key],
    guard: guard && { command: guard, spawn, env: given, folder },
  });
  return [http, ...commands, agents];
}

/** The URL to which the receiver of a run posts its result. It names the owner, whose book has the run. */
function callbackUrl(publicUrl: string, owner: string, id: string): string {
  const path = `callbacks/${encodeURIComponent(owner)}/${encodeURIComponent(id)}`;
  return new URL(path, publicUrl.endsWith("/") ? publicUrl : `${publicUrl}/`).href;
}

/** The tools of a run: those that every agent gets, in its owner's book and with its origin. */
function toolsFor(
  { id, owner, by, origin }: Job,
  installation: Installation,
): readonly AgentTool[] {
  const caller: Caller = { owner, by, scopes: ["read", "write"], origin, run: id };
  return table
    .filter(({ tool }) => tool === "always")
    .map((operation) => {
      const { name, description = "", inputSchema } = toolOf(operation);
      return {
        name,
        description,
        inputSchema: inputSchema as AgentTool["inputSchema"], // JSON Schema is JSON
        async call(input) {
          const { output } = await callOperation(installation, operation, input, caller);
          return output as Json; // every interface sends it as JSON
        },
      };
    });
}
