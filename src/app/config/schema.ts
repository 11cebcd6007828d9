import * as z from "zod";
import { owner } from "../../features/accounts/index.ts";
import { calendarsEntry } from "../../features/calendars/index.ts";
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
    summary:
      "The address that it listens on; 0.0.0.0 is every address of this machine. Default: 127.0.0.1.",
    write: "an address or a host name",
    env: "DAYBOOK_HOST",
    needsRestart: true,
  }),
  port: z.int().min(0).max(65_535).default(4_810).register(about, {
    summary: "The port that it listens on; 0 is any free port. Default: 4810.",
    write: "a whole number from 0 to 65535",
    env: "DAYBOOK_PORT",
    needsRestart: true,
  }),
  publicUrl: httpUrl.exactOptional().register(about, {
    summary: "The URL under which others reach it, if it is behind a proxy.",
    write: urlForm,
    env: "DAYBOOK_PUBLIC_URL",
    needsRestart: true,
  }),
});

const heartbeatEntry = z.strictObject({
  url: httpUrl.register(about, { summary: "The URL that is called.", write: urlForm }),
  every: z
    .string()
    .regex(/^[1-9]\d{0,3}[smhd]$/)
    .default("5m")
    .register(about, {
      summary: "How often it is called. Default: 5m.",
      write: 'a length of time like "30s", "5m" or "1h"',
    }),
});

const heartbeat = heartbeatEntry.transform(({ url, every }) => ({ url, everyMs: msOf(every) }));

const log = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error"]).default("info").register(about, {
    summary: "The lowest level that is written. Default: info.",
    write: '"debug", "info", "warn" or "error"',
    env: "DAYBOOK_LOG_LEVEL",
  }),
  format: z.enum(["json", "pretty"]).exactOptional().register(about, {
    summary: "The format of lines. Default: pretty at a terminal, json elsewhere.",
    write: '"json" or "pretty"',
    env: "DAYBOOK_LOG_FORMAT",
  }),
});

/** Optional in the file, required by `open`. */
export const store = z.union([z.string().refine(isStore), ...reference]).transform(storeOf);
store.register(about, {
  summary: "Where the book is. Default: book.db in the home.",
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

/** Every setting. The default of an optional one depends on the machine. */
export const schema = z.strictObject({
  store: store.exactOptional(),
  home: z.string().min(1).exactOptional().register(about, {
    summary: "The folder for everything that Daybook keeps. Default: daybook in your data folder.",
    write: "a folder",
    path: wholePath,
    env: "DAYBOOK_HOME",
    needsRestart: true,
  }),
  timezone: zone.exactOptional().register(about, {
    summary: "The time zone of owners who have not set one. Default: the machine's.",
    write: zoneForm,
    env: "DAYBOOK_TIMEZONE",
  }),
  language: language.exactOptional().register(about, {
    summary: "The language of owners who have not set one. Default: that of LANG.",
    write: languageForms,
    env: "DAYBOOK_LANGUAGE",
  }),
  leaseSeconds: z.number().min(1).max(21_600).default(15).register(about, {
    summary: "How long other nodes wait for the work of a node that died, in seconds. Default: 15.",
    write: "a number from 1 to 21600",
    env: "DAYBOOK_LEASE_SECONDS",
    needsRestart: true,
  }),
  keepDays: z.int().min(1).max(36_500).default(90).register(about, {
    summary: "How many days ended records are kept. Default: 90.",
    write: "a whole number from 1 to 36500",
    env: "DAYBOOK_KEEP_DAYS",
  }),
  http: http.prefault({}).register(about, { summary: "The HTTP server." }),
  owners: z.record(ownerName, owner).default({}).register(about, {
    summary: "Settings of people, by name.",
    write: "a name of at most 256 characters, with its keys under it",
  }),
  channels: channels
    .prefault({})
    .register(about, { summary: "The channels that messages are sent by." }),
  runners: runners
    .prefault({})
    .register(about, { summary: "What schedules and handlers may run." }),
  limits: limits.prefault({}).register(about, { summary: "Limits." }),
  calendars: calendarsEntry.prefault({}).register(about, { summary: "Calendars that show books." }),
  schedules: scheduleSettings,
  handlers,
  sources: sourceSettings,
  hooks,
  health: health.prefault({}).register(about, { summary: "The load at which work is held back." }),
  machines,
  docker: docker
    .prefault({})
    .register(about, { summary: "The Docker engine, for machines: docker.", needsRestart: true }),
  archives,
  s3: s3.prefault({}).register(about, {
    summary: "The S3 service, for archives in a bucket.",
    needsRestart: true,
  }),
  workspaces: workspaceSettings.prefault({}).register(about, {
    summary: "The settings of all workspaces; one can have its own under keep.",
  }),
  keep,
  curves,
  plugins: z.array(z.string().min(1)).default([]).register(about, {
    summary:
      "Modules with your own channels: paths from this file's folder, or packages. Default: none.",
    write: "a list like [./channels/pager.ts, some-package]",
    path: dottedPaths,
    needsRestart: true,
  }),
  heartbeat: heartbeat.exactOptional().register(about, {
    summary: "A URL that is called regularly, so that a monitor notices when this daemon has died.",
  }),
  log: log.prefault({}).register(about, { summary: "The daemon's log." }),
  debug: z.array(z.string()).default([]).register(about, {
    summary: "Parts of the program that log at the level debug. Default: none.",
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
