import { directory } from "../adapters/archives/directory.ts";
import { s3 } from "../adapters/archives/s3.ts";
import { dockerMachines } from "../adapters/machines/docker.ts";
import { local } from "../adapters/machines/local.ts";
import { workspaceRunner } from "../adapters/runners/workspace.ts";
import { allowedProgram, type Runner } from "../features/tasks/index.ts";
import { type Archives, type Machines, inUse } from "../features/workspaces/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { childProcess } from "../platform/child-process.ts";
import type { Clock } from "../platform/clock.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { picked, type Environment } from "./config/environment.ts";
import type { AlwaysSettings } from "./config/resolve-always.ts";
import type { Config } from "./config/resolve.ts";
import type { AlwaysHere } from "./keeping.ts";
import { nodeIn } from "./place-file.ts";

interface Parts {
  config: Config;
  current(): Config;
  platform: Pick<PlatformPorts, "clock" | "random">;
}

/** Where workspaces live, under the settings. */
export function alwaysFrom({ config, current, platform }: Parts): AlwaysHere {
  const { always } = config;
  return {
    machines: machinesFrom(always, platform),
    archives: archivesFrom(always, platform.clock),
    concurrency: always.concurrency,
    settings: () => current().always,
    defaults: (name) => defaultsIn(current().always, name),
  };
}

/** The same each time it is asked for. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What is set for one of this name, else for all. */
function defaultsIn({ keep, defaults }: AlwaysSettings, name: string): AlwaysSettings["defaults"] {
  const same = name.toLowerCase();
  return Object.hasOwn(keep, same) ? (keep[same] ?? defaults) : defaults;
}

function machinesFrom(
  { machines, docker, folder }: AlwaysSettings,
  platform: Pick<PlatformPorts, "clock" | "random">,
): Machines {
  const { clock } = platform;
  if (machines === "docker") {
    const { place, ...engine } = docker;
    return dockerMachines({ ...engine, clock, ...(place && { place: `docker:${place}` }) });
  }
  return local({ folder, node: nodeIn(folder, platform), clock, spawn: childProcess({ clock }) });
}

function archivesFrom({ archives, s3: service }: AlwaysSettings, clock: Clock): Archives {
  if (archives.kind === "dir") return directory({ folder: archives.folder, clock });
  const { bucket, prefix } = archives;
  return s3({ bucket, prefix, ...service });
}

interface RunnerParts {
  config: Config;
  platform: Pick<PlatformPorts, "clock">;
  env: Environment;
  ledger: Ledger;
  always: AlwaysHere;
}

/** What runs commands in workspaces. Where these are processes of this computer, what may run there is what may run on it. */
export function workspaceRunnerFrom(parts: RunnerParts): Runner {
  const { config, platform, env, ledger, always } = parts;
  const { clock } = platform;
  const { command } = config.runners;
  const { machines } = always;
  const isHere = machines.name === "local";
  return workspaceRunner({
    clock,
    exec: machines.exec,
    env: isHere ? picked(env, command.env) : {},
    isElsewhere: !isHere,
    isAllowed: (program) =>
      !isHere || allowedProgram(program, command.allow, command.cwd) !== undefined,
    inUse: inUse({ ledger, now: () => clock.wall(), limits: () => always.settings().limits }),
  });
}
