import * as z from "zod";
import { owner } from "../../features/accounts/index.ts";
import { handlers, health, hooks, sourceSettings } from "../../features/events/index.ts";
import { curves } from "../../features/nags/index.ts";
import { channels } from "../../features/notifications/index.ts";
import { scheduleSettings } from "../../features/schedules/index.ts";
import { limits, runners } from "../../features/tasks/index.ts";
import {
  archives,
  docker,
  keep,
  machines,
  s3,
  workspaceSettings,
} from "../../features/workspaces/index.ts";
import { about } from "../../platform/settings/about.ts";
import {
  httpUrl,
  language,
  languageForms,
  ownerName,
  msOf,
  reference,
  textOf,
  urlForm,
} from "../../platform/settings/forms.ts";
import { dottedPaths, wholePath } from "../../platform/settings/paths.ts";
import { zone, zoneForm } from "../../time/settings.ts";
import { absoluteStore, isStore, parseStore, storeForms, type StoreUrl } from "./store-url.ts";

const http = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").register(about, {
    summary: "The address it listens on; 0.0.0.0 is every one of this machine.",
    write: "an address or a host name",
    env: "DAYBOOK_HOST",
    needsRestart: true,
  }),
  port: z.int().min(0).max(65_535).default(4_810).register(about, {
    summary: "The port it listens on; 0 is any free one.",
    write: "a whole number from 0 to 65535",
    env: "DAYBOOK_PORT",
    needsRestart: true,
  }),
  publicUrl: httpUrl.exactOptional().register(about, {
    summary: "How others reach it, when a proxy stands before it.",
    write: urlForm,
    env: "DAYBOOK_PUBLIC_URL",
    needsRestart: true,
  }),
});

const heartbeatEntry = z.strictObject({
  url: httpUrl.register(about, { summary: "What is asked, again and again.", write: urlForm }),
  every: z
    .string()
    .regex(/^[1-9]\d{0,3}[smhd]$/)
    .default("5m")
    .register(about, { summary: "How often.", write: 'a length of time like "30s", "5m" or "1h"' }),
});

const heartbeat = heartbeatEntry.transform(({ url, every }) => ({ url, everyMs: msOf(every) }));

const log = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error"]).default("info").register(about, {
    summary: "The lowest level that is written.",
    write: '"debug", "info", "warn" or "error"',
    env: "DAYBOOK_LOG_LEVEL",
  }),
  format: z.enum(["json", "pretty"]).exactOptional().register(about, {
    summary: "Pretty at a terminal, JSON elsewhere, unless said.",
    write: '"json" or "pretty"',
    env: "DAYBOOK_LOG_FORMAT",
  }),
});

/** In the file it may be absent, to a program that opens a book it may not. */
export const store = z.union([z.string().refine(isStore), ...reference]).transform(storeOf);
store.register(about, {
  summary: "Where the book is.",
  write: storeForms,
  env: "DAYBOOK_STORE",
  needsRestart: true,
  path: absoluteStore,
});

/** A reference that cannot be read is reported by itself, and nothing is opened then. */
function storeOf(value: unknown): StoreUrl {
  const url = textOf(value);
  return url === "" ? { kind: "memory" } : parseStore(url);
}

/** Everything that can be set. What is absent here and has no default depends on the machine. */
export const schema = z.strictObject({
  store: store.exactOptional(),
  home: z.string().min(1).exactOptional().register(about, {
    summary: "The folder for everything Daybook keeps.",
    write: "a folder",
    path: wholePath,
    env: "DAYBOOK_HOME",
    needsRestart: true,
  }),
  timezone: zone.exactOptional().register(about, {
    summary: "The time zone of owners who have set none; the machine's, unless said.",
    write: zoneForm,
    env: "DAYBOOK_TIMEZONE",
  }),
  language: language.exactOptional().register(about, {
    summary: "The language of owners who have set none; as LANG says, unless said.",
    write: languageForms,
    env: "DAYBOOK_LANGUAGE",
  }),
  leaseSeconds: z.number().min(1).max(21_600).default(15).register(about, {
    summary: "How long a node that died keeps its work from the others.",
    write: "a number from 1 to 21600",
    env: "DAYBOOK_LEASE_SECONDS",
    needsRestart: true,
  }),
  keepDays: z.int().min(1).max(36_500).default(90).register(about, {
    summary: "Records that ended are forgotten after this many days.",
    write: "a whole number from 1 to 36500",
    env: "DAYBOOK_KEEP_DAYS",
  }),
  http: http.prefault({}).register(about, { summary: "The API and the dashboard." }),
  owners: z.record(ownerName, owner).default({}).register(about, {
    summary: "People, by name.",
    write: "a name of at most 256 characters, and what belongs to it under it",
  }),
  channels: channels.prefault({}).register(about, { summary: "How things are said." }),
  runners: runners.prefault({}).register(about, { summary: "What schedules may run." }),
  limits: limits.prefault({}).register(about, { summary: "How much there may be." }),
  schedules: scheduleSettings,
  handlers,
  sources: sourceSettings,
  hooks,
  health: health.prefault({}).register(about, { summary: "When the machine has too much to do." }),
  machines,
  docker: docker
    .prefault({})
    .register(about, { summary: "The engine, where machines are containers.", needsRestart: true }),
  archives,
  s3: s3.prefault({}).register(about, {
    summary: "The service, where archives are in a bucket.",
    needsRestart: true,
  }),
  workspaces: workspaceSettings
    .prefault({})
    .register(about, { summary: "Workspaces, unless something else is said of one." }),
  keep,
  curves,
  plugins: z.array(z.string().min(1)).default([]).register(about, {
    summary: "Modules that bring channels of yours: paths that start at this file, or packages.",
    write: "a list like [./channels/pager.ts, some-package]",
    path: dottedPaths,
    needsRestart: true,
  }),
  heartbeat: heartbeat.exactOptional().register(about, {
    summary:
      "A URL that is asked again and again, so that somebody notices when this daemon is gone.",
  }),
  log: log.prefault({}).register(about, { summary: "What the daemon says about itself." }),
  debug: z.array(z.string()).default([]).register(about, {
    summary: "Parts that tell more.",
    write: "a list of names",
    env: "DEBUG",
  }),
});

export type Settings = z.output<typeof schema>;

/** The file's JSON Schema, for editors. */
export function configSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const known = about.get(zodSchema);
      if (known === undefined) return;
      jsonSchema.description = known.summary;
      if (known.isSecret === true) jsonSchema.writeOnly = true;
    },
  });
}
