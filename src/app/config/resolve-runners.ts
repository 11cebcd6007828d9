import type { Allow } from "../../features/tasks/index.ts";
import { resolvePath } from "../../platform/settings/tree.ts";
import { layerOf, type Layer } from "./layers.ts";
import type { Settings } from "./schema.ts";

/** What schedules may run, as the program uses it. */
export interface Runners {
  command: {
    /** Nothing, when it is empty. */
    allow: Allow;
    env: readonly string[];
    cwd: string;
    memoryBytesMax?: number;
  };
  agent?: AgentSettings;
}

interface AgentSettings {
  baseUrl: string;
  model: string;
  key?: string;
  prices?: { inputPerMillion: number; outputPerMillion: number };
  turnsMax: number;
  costMax?: number;
  guard?: readonly [string, ...string[]];
}

export function resolveRunners(
  { runners, home }: Settings & { home: string },
  layers: readonly Layer[],
): Runners {
  const { allow, env, folder, memoryMegabytes } = runners.command;
  const isAll = allow.some((each) => each === "all" || each === "1");
  const { agent } = runners;
  return {
    command: {
      allow: isAll ? "everything" : allow,
      env,
      cwd: commandFolder(folder, home, layers),
      ...(memoryMegabytes && { memoryBytesMax: memoryMegabytes * 1_024 * 1_024 }),
    },
    ...(agent && { agent: resolveAgent(agent) }),
  };
}

/** Where commands run: where that is said, else beside the file, whose paths start there; without a file, in the home. */
export function commandFolder(
  folder: string | undefined,
  home: string,
  layers: readonly Layer[],
): string {
  if (folder === undefined) return layers.find(({ isFile }) => isFile)?.from ?? home;
  return resolvePath(folder, layerOf(layers, ["runners", "command", "folder"])?.from ?? home);
}

function resolveAgent(agent: NonNullable<Settings["runners"]["agent"]>): AgentSettings {
  const { baseUrl, model, key, prices, turnsPerRun, costPerRun, guard } = agent;
  const [file, ...args] = guard ?? [];
  return {
    baseUrl,
    model,
    turnsMax: turnsPerRun,
    ...(typeof key === "string" && { key }), // a reference has been replaced by its secret
    ...(prices && { prices }),
    ...(costPerRun !== undefined && { costMax: costPerRun }),
    ...(file !== undefined && { guard: [file, ...args] as const }),
  };
}
