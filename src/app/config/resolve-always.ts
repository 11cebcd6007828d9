import { join } from "node:path";
import {
  parseArchives,
  type ArchivesUrl,
  type RunningLimits,
  localImage,
  type WorkspaceDefaults,
} from "../../features/workspaces/index.ts";
import { msOf, textOf } from "../../platform/settings/forms.ts";
import { layerOf, type Layer } from "./layers.ts";
import type { Settings } from "./schema.ts";

/** What is set for workspaces, as the program uses it. */
export interface AlwaysSettings {
  readonly machines: "local" | "docker";
  /** Where they are, if they are local. */
  readonly folder: string;
  readonly docker: DockerSettings;
  readonly archives: ArchivesUrl;
  readonly s3: S3Settings;
  readonly limits: RunningLimits;
  readonly pollMs: number;
  readonly concurrency: number;
  /** Where who looks after the machines hears of what cannot be mended by itself. */
  readonly administrator: string | null;
  /** What a workspace gets of which nothing is said. */
  readonly defaults: WorkspaceDefaults;
  /** By name, in small letters. */
  readonly keep: Readonly<Record<string, WorkspaceDefaults>>;
}

interface DockerSettings {
  readonly host?: string;
  readonly network: string;
  readonly place?: string;
}

interface S3Settings {
  readonly endpoint?: string;
  readonly region: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const usual = { sleepAfter: "5m", archiveAfter: "1d", wakeAhead: "2m" } as const;
const usualMachine = { memoryMb: 1_024, cpus: 1, pids: 512 };

export function resolveAlways(
  settings: Settings & { home: string },
  layers: readonly Layer[],
): AlwaysSettings {
  const { home, workspaces, keep } = settings;
  const isLocal = settings.machines === "local";
  const first: WorkspaceDefaults = {
    imageRef: isLocal ? localImage : null,
    machine: usualMachine,
    ...secondsOf(usual),
  };
  const defaults = defaultsOf(workspaces, first);
  const kept = Object.entries(keep).map(([name, one]) => [
    name.toLowerCase(),
    defaultsOf(one, defaults),
  ]);
  return {
    machines: settings.machines,
    folder: join(home, "workspaces"),
    docker: settings.docker,
    archives: archivesOf(settings, layers),
    s3: s3Of(settings.s3),
    limits: { perOwner: workspaces.perOwner, inAll: workspaces.running },
    pollMs: Math.round(workspaces.pollSeconds * 1_000),
    concurrency: workspaces.concurrency,
    administrator: workspaces.notify ?? null,
    defaults,
    keep: Object.fromEntries(kept) as Record<string, WorkspaceDefaults>,
  };
}

type Lengths = Readonly<Record<keyof typeof usual, string>>;

function secondsOf({ sleepAfter, archiveAfter, wakeAhead }: Lengths) {
  return {
    standbyTtlSeconds: msOf(sleepAfter) / 1_000,
    archiveTtlSeconds: msOf(archiveAfter) / 1_000,
    wakeAheadSeconds: msOf(wakeAhead) / 1_000,
  };
}

function defaultsOf(
  one: Settings["keep"][string],
  otherwise: WorkspaceDefaults,
): WorkspaceDefaults {
  const { image, sleepAfter, archiveAfter, wakeAhead, memoryMegabytes, cpus, pids } = one;
  const { machine } = otherwise;
  const seconds = (length: string | undefined, before: number): number =>
    length === undefined ? before : msOf(length) / 1_000;
  return {
    imageRef: image ?? otherwise.imageRef,
    machine: {
      memoryMb: memoryMegabytes ?? machine.memoryMb,
      cpus: cpus ?? machine.cpus,
      pids: pids ?? machine.pids,
    },
    standbyTtlSeconds: seconds(sleepAfter, otherwise.standbyTtlSeconds),
    archiveTtlSeconds: seconds(archiveAfter, otherwise.archiveTtlSeconds),
    wakeAheadSeconds: seconds(wakeAhead, otherwise.wakeAheadSeconds),
  };
}

function archivesOf(
  { archives, home }: Settings & { home: string },
  layers: readonly Layer[],
): ArchivesUrl {
  const from = layerOf(layers, ["archives"])?.from ?? home;
  const request = archives === undefined ? undefined : parseArchives(archives, from);
  return request ?? { kind: "dir", folder: join(home, "archives") };
}

function s3Of({ endpoint, region, accessKeyId, secretAccessKey }: Settings["s3"]): S3Settings {
  const isTold = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(isTold && {
      credentials: {
        accessKeyId: textOf(accessKeyId),
        secretAccessKey: textOf(secretAccessKey),
      },
    }),
  };
}
