import * as z from "zod";
import { parseTarget } from "../../kernel/target.ts";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, msOf, secret, secretForms, urlForm } from "../../platform/settings/forms.ts";
import { absoluteArchives, archivesForms, parseArchives } from "./archives.ts";
import { localImage, type WorkspaceDefaults } from "./draft.ts";

const lengthForm = 'a length of time like "30s", "10m", "12h" or "3d"';
const length = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/)
  .transform((text) => msOf(text) / 1_000);

const image = z.string().regex(/^[\w./:@-]{1,512}$/);
const imageForm = "an image like node:24, or with a digest like node@sha256:…";

/** The settings that one workspace can have of its own. */
const settings = {
  image: image.exactOptional().register(about, {
    summary: "The image of its machine. Docker needs one.",
    write: imageForm,
  }),
  sleepAfter: length.exactOptional().register(about, {
    summary: "How long it may be unused before its machine stops. Default: 5m.",
    write: lengthForm,
  }),
  archiveAfter: length.exactOptional().register(about, {
    summary: "How long it may be unused before its volume is archived. Default: 1d.",
    write: lengthForm,
  }),
  wakeAhead: length.exactOptional().register(about, {
    summary: "How long before a scheduled run in it it is started. Default: 2m.",
    write: lengthForm,
  }),
  memoryMegabytes: z.int().min(16).max(1_048_576).exactOptional().register(about, {
    summary: "The memory of its machine, in MiB. Default: 1024.",
    write: "a whole number from 16 to 1048576",
  }),
  cpus: z.number().min(0.05).max(512).exactOptional().register(about, {
    summary: "The processors of its machine. Default: 1.",
    write: "a number from 0.05 to 512",
  }),
  pids: z.int().min(8).max(1_000_000).exactOptional().register(about, {
    summary: "The most processes of its machine. Default: 512.",
    write: "a whole number from 8 to 1000000",
  }),
};

const defaultsEntry = z.strictObject(settings);

/** The settings of workspaces by name, where one that is not set is that of all, or the default. */
export function workspaceDefaults(set: {
  machines: z.output<typeof machines>;
  workspaces: { defaults: z.output<typeof defaultsEntry> };
  keep: z.output<typeof keep>;
}): { defaults: WorkspaceDefaults; keep: Readonly<Record<string, WorkspaceDefaults>> } {
  const imageRef = set.machines === "local" ? localImage : null;
  const defaults = defaultsOf(set.workspaces.defaults, { ...usual, imageRef });
  const kept = Object.entries(set.keep).map(
    ([name, one]) => [name.toLowerCase(), defaultsOf(one, defaults)] as const,
  );
  return { defaults, keep: Object.fromEntries(kept) };
}

const usual = {
  machine: { memoryMb: 1_024, cpus: 1, pids: 512 },
  standbyTtlSeconds: 300,
  archiveTtlSeconds: 86_400,
  wakeAheadSeconds: 120,
};

function defaultsOf(
  set: z.output<typeof defaultsEntry>,
  { machine, ...otherwise }: WorkspaceDefaults,
): WorkspaceDefaults {
  return {
    imageRef: set.image ?? otherwise.imageRef,
    machine: {
      memoryMb: set.memoryMegabytes ?? machine.memoryMb,
      cpus: set.cpus ?? machine.cpus,
      pids: set.pids ?? machine.pids,
    },
    standbyTtlSeconds: set.sleepAfter ?? otherwise.standbyTtlSeconds,
    archiveTtlSeconds: set.archiveAfter ?? otherwise.archiveTtlSeconds,
    wakeAheadSeconds: set.wakeAhead ?? otherwise.wakeAheadSeconds,
  };
}

export const machines = z.enum(["local", "docker"]).default("local").register(about, {
  summary:
    "What the machines of workspaces are: processes of this computer, or containers of a Docker engine. Default: local.",
  write: '"local" or "docker"',
  env: "DAYBOOK_MACHINES",
  needsRestart: true,
});

export const docker = z.strictObject({
  host: z
    .string()
    .regex(/^(?:unix:\/\/\/|tcp:\/\/|http:\/\/)\S+$/)
    .exactOptional()
    .register(about, {
      summary: "The address of the engine. Default: unix:///var/run/docker.sock.",
      write: '"unix:///…" or "tcp://host:port"',
      env: "DOCKER_HOST",
      needsRestart: true,
    }),
  network: z
    .string()
    .regex(/^(?!host$|container:)[\w.-]{1,100}$/)
    .default("bridge")
    .register(about, {
      summary:
        "The engine's network for machines; none turns it off, and host is refused. Default: bridge.",
      write: 'the name of a network, such as "bridge" or "none"',
      needsRestart: true,
    }),
  pull: z.boolean().default(false).register(about, {
    summary: "Whether an image that the engine lacks is pulled. Default: false.",
    write: "true or false",
    needsRestart: true,
  }),
  place: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .exactOptional()
    .register(about, {
      summary:
        "The name of the engine, the same for all nodes that use it. Default: the name of this computer.",
      write: "a name",
      needsRestart: true,
    }),
});

export const archives = z
  .string()
  .transform((url, context) => {
    const archives = parseArchives(url);
    if (archives !== undefined) return archives;
    context.addIssue({ code: "custom" });
    return z.NEVER;
  })
  .exactOptional()
  .register(about, {
    path: absoluteArchives,
    summary: "Where archives of workspaces are kept. Default: the folder archives in the home.",
    write: archivesForms,
    env: "DAYBOOK_ARCHIVES",
    needsRestart: true,
  });

const s3Entry = z.strictObject({
  endpoint: httpUrl.exactOptional().register(about, {
    summary: "The URL of a service with S3's API. Default: Amazon's.",
    write: urlForm,
    needsRestart: true,
  }),
  region: z.string().min(1).max(100).default("us-east-1").register(about, {
    summary: "The region of the bucket. Default: us-east-1.",
    write: "a name",
    needsRestart: true,
  }),
  accessKeyId: secret.exactOptional().register(about, {
    summary: "The access key ID. Default: AWS_ACCESS_KEY_ID.",
    write: secretForms,
    isSecret: true,
    needsRestart: true,
  }),
  secretAccessKey: secret.exactOptional().register(about, {
    summary: "The secret access key. Default: AWS_SECRET_ACCESS_KEY.",
    write: secretForms,
    isSecret: true,
    needsRestart: true,
  }),
});

export const s3 = s3Entry.transform(({ accessKeyId, secretAccessKey, ...service }) => {
  const isSet = accessKeyId !== undefined && secretAccessKey !== undefined;
  return present({ ...service, credentials: isSet ? { accessKeyId, secretAccessKey } : undefined });
});

const workspacesEntry = z.strictObject({
  ...settings,
  perOwner: z.int().min(1).max(1_000).default(2).register(about, {
    summary: "How many of one owner may run at once. Default: 2.",
    write: "a whole number from 1 to 1000",
  }),
  running: z.int().min(1).max(1_000).default(100).register(about, {
    summary: "How many may run at once in total. Default: 100.",
    write: "a whole number from 1 to 1000",
  }),
  concurrency: z.int().min(1).max(100).default(10).register(about, {
    summary: "How many a node starts, stops or archives at once. Default: 10.",
    write: "a whole number from 1 to 100",
    needsRestart: true,
  }),
  pollSeconds: z.number().min(1).max(3_600).default(60).register(about, {
    summary: "How often each is observed, in seconds. Default: 60.",
    write: "a number from 1 to 3600",
  }),
  stopWithDaemon: z.boolean().default(false).register(about, {
    summary: "Whether local machines stop when the daemon stops. Default: false.",
    write: "true or false",
  }),
  notify: z.string().refine(isTarget).exactOptional().register(about, {
    summary: "The target that is notified of a workspace in ERROR. Default: none.",
    write: "a target like slack:C012345 or ntfy:topic",
  }),
});

export const workspaceSettings = workspacesEntry.transform((all) => {
  const { perOwner, running, concurrency, pollSeconds, stopWithDaemon, notify, ...defaults } = all;
  return {
    limits: { perOwner, inAll: running },
    pollMs: Math.round(pollSeconds * 1_000),
    concurrency,
    stopWithDaemon,
    administrator: notify ?? null,
    defaults,
  };
});

export const keep = z
  .record(z.string().refine(isName), defaultsEntry)
  .prefault({})
  .register(about, {
    summary: "Named workspaces: each is created when something first runs in it.",
    write: "a name, with its keys under it",
  });

/** The options of `open` for workspaces. */
export interface WorkspaceOptions {
  /** The folder of workspaces whose machines are processes of this computer, and of archives by default. */
  home?: string;
  /** Absent: no workspaces are kept here. */
  machines?: z.input<typeof machines>;
  docker?: z.input<typeof docker>;
  /** `dir:FOLDER` or `s3://bucket/prefix`. */
  archives?: string;
  s3?: z.input<typeof s3>;
  workspaces?: z.input<typeof workspaceSettings>;
  /** Named workspaces: each is created when something first runs in it. */
  keep?: z.input<typeof keep>;
}

function isTarget(target: string): boolean {
  try {
    parseTarget(target);
    return true;
  } catch {
    return false;
  }
}

// A function, because an editor's JSON Schema has no letters beyond a to z.
function isName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name);
}
