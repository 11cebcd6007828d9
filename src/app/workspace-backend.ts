import { directory } from "../adapters/archives/directory.ts";
import { s3 } from "../adapters/archives/s3.ts";
import { dockerMachines } from "../adapters/machines/docker.ts";
import { local } from "../adapters/machines/local.ts";
import { workspaceRunner } from "../adapters/runners/workspace.ts";
import { allowedProgram, type Runner } from "../features/tasks/index.ts";
import {
  type Archives,
  type Machines,
  type WorkspaceBackend,
  inUse,
} from "../features/workspaces/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { childProcess } from "../platform/child-process.ts";
import type { Clock } from "../platform/clock.ts";
import { present } from "../platform/json.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { Config } from "./config/config.ts";
import { picked, type Environment } from "./config/environment.ts";
import { locationIn } from "./location-file.ts";

interface Parts {
  config: Config;
  current(): Config;
  platform: Pick<PlatformPorts, "clock" | "random">;
}

/** The machines and archives of the settings. */
export function workspaceBackendFrom({ config, current, platform }: Parts): WorkspaceBackend {
  return {
    machines: machinesFrom(config, platform),
    archives: archivesFrom(config, platform.clock),
    concurrency: config.workspaces.concurrency,
    settings: () => current().workspaces,
    defaults: (name) => defaultsIn(current().workspaces, name),
  };
}

/** The settings of a workspace by its name, or else those of all. */
function defaultsIn(
  { keep, defaults }: Config["workspaces"],
  name: string,
): Config["workspaces"]["defaults"] {
  const same = name.toLowerCase();
  return Object.hasOwn(keep, same) ? (keep[same] ?? defaults) : defaults;
}

function machinesFrom(
  { machines, docker, workspaces }: Config,
  platform: Pick<PlatformPorts, "clock" | "random">,
): Machines {
  const { clock } = platform;
  if (machines === "docker") {
    const { place, ...engine } = docker;
    return dockerMachines(present({ ...engine, clock, place: place && `docker:${place}` }));
  }
  const { folder } = workspaces;
  return local({
    folder,
    node: locationIn(folder, platform),
    clock,
    spawn: childProcess({ clock }),
  });
}

function archivesFrom({ archives, s3: service }: Config, clock: Clock): Archives {
  if (archives.kind === "dir") return directory({ folder: archives.folder, clock });
  const { bucket, prefix } = archives;
  return s3({ bucket, prefix, ...service });
}

interface RunnerParts {
  config: Config;
  current(): Config;
  platform: Pick<PlatformPorts, "clock">;
  env: Environment;
  ledger: Ledger;
  backend: WorkspaceBackend;
}

/** Runs commands in workspaces. If these are processes of this computer, the same programs are allowed as outside. */
export function workspaceRunnerFrom(parts: RunnerParts): Runner {
  const { config, current, platform, env, ledger, backend } = parts;
  const { clock } = platform;
  const { command } = config.runners;
  const { machines } = backend;
  const isLocal = machines.name === "local";
  return workspaceRunner({
    clock,
    exec: machines.exec,
    env: isLocal ? picked(env, command.env) : {},
    isElsewhere: !isLocal,
    isAllowed: (program) =>
      !isLocal ||
      allowedProgram(program, command.allow, current().runners.command.cwd) !== undefined,
    owners: isLocal ? command.owners : undefined,
    inUse: inUse({ ledger, now: () => clock.wall(), limits: () => backend.settings().limits }),
  });
}
