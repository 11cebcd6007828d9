import { join } from "node:path";
import { type Curve, resolveCurves } from "../../features/nags/index.ts";
import type { DeclaredEntry } from "../../features/schedules/index.ts";
import type { Language } from "../../platform/language.ts";
import type { LogOptions } from "../../platform/log.ts";
import { msOf, textOf } from "../../platform/settings/forms.ts";
import { resolvePath, valueAt } from "../../platform/settings/tree.ts";
import type { Environment } from "./environment.ts";
import { handlerSchedules } from "./handler-schedules.ts";
import { layerOf, type Layer } from "./layers.ts";
import { defaultHome, hostZone } from "./machine.ts";
import { resolveAlways, type AlwaysSettings } from "./resolve-always.ts";
import { resolveChats, type ChatSettings } from "./resolve-chats.ts";
import { commandFolder, resolveRunners, type Runners } from "./resolve-runners.ts";
import type { Settings } from "./schema.ts";
import { parseStore, type StoreUrl } from "./store-url.ts";
import { resolveWhen, type WhenSettings } from "./when.ts";

/** Everything that is set, as the program uses it. */
export interface Config {
  home: string;
  store: StoreUrl;
  timezone: string;
  /** Whether somebody chose the zone, or it is the machine's. */
  timezoneFrom: "setting" | "host";
  language: Language;
  color: boolean;
  leaseMs: number;
  /** How long records that ended are kept. */
  keepMs: number;
  http: Settings["http"];
  owners: Settings["owners"];
  channels: {
    ntfy?: { server: string; token?: string };
    webhook: { allow: readonly string[] };
    desktop?: { inbox: readonly string[] };
    exec: Readonly<Record<string, Program>>;
  } & ChatSettings;
  runners: Runners;
  limits: { schedulesMax: number; minGapMs: number };
  /** Those of handlers too. */
  schedules: Readonly<Record<string, DeclaredEntry & Placed>>;
  curves: Readonly<Record<string, Curve>>;
  when: WhenSettings;
  always: AlwaysSettings;
  plugins: readonly Plugin[];
  heartbeat?: { url: string; everyMs: number };
  log: Pick<LogOptions, "level" | "format">;
  debug: readonly string[];
}

/** What is found wrong with it later is told with its place too. */
interface Placed {
  /** `daybook.yaml:14:3`. */
  place: string;
}

/** A module that brings channels. */
export interface Plugin {
  /** A whole path, or a package. */
  name: string;
  /** The folder where the package is looked for. */
  from: string;
}

interface Program {
  command: readonly string[];
  env: readonly string[];
  timeoutMs: number;
}

/** The settings with what depends on the machine. */
export type Complete = Settings &
  Required<Pick<Settings, "home" | "language" | "store" | "timezone">> & {
    log: Pick<LogOptions, "level" | "format">;
  };

export interface Machine {
  env: Environment;
  isTerminal: boolean;
}

export function complete(settings: Settings, layers: readonly Layer[], machine: Machine): Complete {
  const home = placeIn(layers, "home", settings.home ?? defaultHome(machine.env));
  return {
    ...settings,
    home,
    store: settings.store ?? `sqlite:${join(home, "book.db")}`,
    timezone: settings.timezone ?? hostZone(),
    language: settings.language ?? "en",
    log: { format: machine.isTerminal ? "pretty" : "json", ...settings.log },
  };
}

export function resolveConfig(
  settings: Complete,
  layers: readonly Layer[],
  machine: Machine,
): Config {
  const { home, timezone, language, http, owners, heartbeat, log, debug } = settings;
  const isSet = layers.some(({ tree }) => valueAt(tree, ["timezone"]) !== undefined);
  const when = resolveWhen(settings, layers);
  return {
    home,
    store: parseStore(textOf(settings.store), layerOf(layers, ["store"])?.from),
    timezone,
    timezoneFrom: isSet ? "setting" : "host",
    language,
    color: machine.isTerminal && !machine.env["NO_COLOR"],
    leaseMs: Math.round(settings.leaseSeconds * 1_000),
    keepMs: settings.keepDays * 86_400_000,
    http,
    owners,
    channels: resolveChannels(settings, layers),
    runners: resolveRunners(settings, layers),
    limits: {
      schedulesMax: settings.limits.schedulesPerOwner,
      minGapMs: Math.round(settings.limits.minGapSeconds * 1_000),
    },
    schedules: {
      ...resolveSchedules(settings, layers),
      ...handlerSchedules(settings, when, layers),
    },
    curves: resolveCurves(settings.curves),
    when,
    always: resolveAlways(settings, layers),
    plugins: resolvePlugins(settings, layers),
    ...(heartbeat && { heartbeat: { url: heartbeat.url, everyMs: msOf(heartbeat.every) } }),
    log,
    debug,
  };
}

function resolveChannels(settings: Settings, layers: readonly Layer[]): Config["channels"] {
  const { ntfy, webhook, desktop, exec } = settings.channels;
  const programs = Object.entries(exec).map(([name, { command, env, timeoutSeconds }]) => {
    const [program = "", ...rest] = command;
    const from = layerOf(layers, ["channels", "exec", name])?.from ?? "";
    const path = /^(?:~|\.\.?)\//.test(program) ? resolvePath(program, from) : program;
    return [name, { command: [path, ...rest], env, timeoutMs: timeoutSeconds * 1_000 }] as const;
  });
  return {
    ...(ntfy && {
      ntfy: {
        server: ntfy.server,
        ...(ntfy.token !== undefined && { token: textOf(ntfy.token) }),
      },
    }),
    webhook,
    ...(desktop && { desktop }),
    exec: Object.fromEntries(programs),
    ...resolveChats(settings),
  };
}

function resolveSchedules({ schedules }: Settings, layers: readonly Layer[]): Config["schedules"] {
  const placed = Object.entries(schedules).map(([name, one]) => {
    const path = ["schedules", name];
    return [name, { ...one, place: layerOf(layers, path)?.place(path) ?? "" }] as const;
  });
  return Object.fromEntries(placed);
}

function resolvePlugins({ plugins }: Settings, layers: readonly Layer[]): Plugin[] {
  const from = layerOf(layers, ["plugins"])?.from ?? "";
  return plugins.map((name) => {
    const isPath = /^(?:~|\.{0,2})\//.test(name);
    return { name: isPath ? resolvePath(name, from) : name, from };
  });
}

/** Where commands run, as far as it can be read. */
export function readFolder(tree: unknown, layers: readonly Layer[], env: Environment): string {
  const folder = valueAt(tree, ["runners", "command", "folder"]);
  const request = valueAt(tree, ["home"]);
  const home = placeIn(layers, "home", typeof request === "string" ? request : defaultHome(env));
  return commandFolder(typeof folder === "string" ? folder : undefined, home, layers);
}

function placeIn(layers: readonly Layer[], key: string, path: string): string {
  return resolvePath(path, layerOf(layers, [key])?.from ?? "");
}
