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

/** What a workspace gets of which nothing else is said. */
const settings = {
  image: image.exactOptional().register(about, {
    summary: "The image of its machine.",
    write: imageForm,
  }),
  sleepAfter: length.exactOptional().register(about, {
    summary: "Not used for so long, its machine is stopped; 5m unless said.",
    write: lengthForm,
  }),
  archiveAfter: length.exactOptional().register(about, {
    summary: "Not used for so long, its volume goes into an archive; 1d unless said.",
    write: lengthForm,
  }),
  wakeAhead: length.exactOptional().register(about, {
    summary:
      "So long before a slot of a schedule that runs in it, it is brought up; 2m unless said.",
    write: lengthForm,
  }),
  memoryMegabytes: z.int().min(16).max(1_048_576).exactOptional().register(about, {
    summary: "What its machine may have of memory; 1024 unless said.",
    write: "a whole number from 16 to 1048576",
  }),
  cpus: z.number().min(0.05).max(512).exactOptional().register(about, {
    summary: "What its machine may have of processors; 1 unless said.",
    write: "a number from 0.05 to 512",
  }),
  pids: z.int().min(8).max(1_000_000).exactOptional().register(about, {
    summary: "How many processes it may have; 512 unless said.",
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
    "What machines of workspaces are: processes of this computer, or containers of a Docker engine.",
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
      summary: "Where the engine listens; unix:///var/run/docker.sock unless said.",
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
        "The engine's network that machines are in; none for none. The host's own is refused.",
      write: 'the name of a network, such as "bridge" or "none"',
      needsRestart: true,
    }),
  place: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .exactOptional()
    .register(about, {
      summary:
        "What nodes that reach the same engine call it; named after this computer, unless said.",
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
    summary: "Where archives of workspaces are kept; a folder in the home, unless said.",
    write: archivesForms,
    env: "DAYBOOK_ARCHIVES",
    needsRestart: true,
  });

const s3Entry = z.strictObject({
  endpoint: httpUrl.exactOptional().register(about, {
    summary: "A service other than Amazon's that speaks S3.",
    write: urlForm,
    needsRestart: true,
  }),
  region: z.string().min(1).max(100).default("us-east-1").register(about, {
    summary: "The region of the bucket.",
    write: "a name",
    needsRestart: true,
  }),
  accessKeyId: secret.exactOptional().register(about, {
    summary: "Who asks; as AWS_ACCESS_KEY_ID says, unless said.",
    write: secretForms,
    isSecret: true,
    needsRestart: true,
  }),
  secretAccessKey: secret.exactOptional().register(about, {
    summary: "What proves it.",
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
    summary: "How many of one owner may run at once.",
    write: "a whole number from 1 to 1000",
  }),
  running: z.int().min(1).max(1_000).default(100).register(about, {
    summary: "How many may run at once in all.",
    write: "a whole number from 1 to 1000",
  }),
  concurrency: z.int().min(1).max(100).default(10).register(about, {
    summary: "How many a node brings up, takes down or archives at once.",
    write: "a whole number from 1 to 100",
    needsRestart: true,
  }),
  pollSeconds: z.number().min(1).max(3_600).default(60).register(about, {
    summary: "How often each is looked at.",
    write: "a number from 1 to 3600",
  }),
  notify: z.string().refine(isTarget).exactOptional().register(about, {
    summary: "Where who looks after the machines hears of a workspace in ERROR.",
    write: "a target like slack:C012345 or ntfy:topic",
  }),
});

export const workspaceSettings = workspacesEntry.transform((all) => {
  const { perOwner, running, concurrency, pollSeconds, notify, ...defaults } = all;
  return {
    limits: { perOwner, inAll: running },
    pollMs: Math.round(pollSeconds * 1_000),
    concurrency,
    administrator: notify ?? null,
    defaults,
  };
});

export const keep = z.record(z.string().refine(isName), defaultsEntry).prefault({}).register(about, {
  summary: "Workspaces by name: each is made when something is first to run in it.",
  write: "a name, and what belongs to it under it",
});

/** As a program says them that opens a book. */
export interface WorkspaceOptions {
  /** Where workspaces are, when their machines are processes of this computer, and archives, unless said. */
  home?: string;
  /** Workspaces are kept here if this is said. */
  machines?: z.input<typeof machines>;
  docker?: z.input<typeof docker>;
  /** `dir:FOLDER` or `s3://bucket/prefix`. */
  archives?: string;
  s3?: z.input<typeof s3>;
  workspaces?: z.input<typeof workspaceSettings>;
  /** Workspaces by name: each is made when something is first to run in it. */
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

// As a function: an editor's JSON Schema knows no letters beyond a to z.
function isName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name);
}
