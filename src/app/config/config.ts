import { join } from "node:path";
import { type Handler, handlerSchedules } from "../../features/events/index.ts";
import type { DeclaredEntry } from "../../features/schedules/index.ts";
import { workspaceDefaults } from "../../features/workspaces/index.ts";
import { valueAt } from "../../platform/settings/tree.ts";
import type { Environment } from "./environment.ts";
import { layerOf, type Layer } from "./layers.ts";
import { defaultHome, hostZone } from "./machine.ts";
import type { Settings } from "./schema.ts";

/** The settings as the program uses them. */
export interface Config extends Omit<
  Settings,
  | "leaseSeconds"
  | "keepDays"
  | "handlers"
  | "schedules"
  | "plugins"
  | "workspaces"
  | "keep"
  | Missing
> {
  home: string;
  store: NonNullable<Settings["store"]>;
  timezone: string;
  /** Whether the zone was set, or is the machine's. */
  timezoneFrom: "setting" | "host";
  language: NonNullable<Settings["language"]>;
  color: boolean;
  leaseMs: number;
  /** How long records that ended are kept. */
  keepMs: number;
  runners: Omit<Runners, "command"> & {
    command: Omit<Runners["command"], "folder"> & { cwd: string };
  };
  /** Those of handlers too, each with its position for what is found wrong with it later: `daybook.yaml:14:3`. */
  schedules: Readonly<Record<string, DeclaredEntry & { place: string }>>;
  /** In the order of the file. */
  handlers: readonly Handler[];
  archives: NonNullable<Settings["archives"]>;
  workspaces: Omit<Settings["workspaces"], "defaults"> &
    ReturnType<typeof workspaceDefaults> & { folder: string };
  plugins: readonly Plugin[];
  log: Required<Settings["log"]>;
}

type Runners = Settings["runners"];

/** Settings whose defaults depend on the machine. */
type Missing = "home" | "store" | "timezone" | "language" | "runners" | "archives" | "log";

/** A module that brings channels. */
export interface Plugin {
  /** A whole path, or a package. */
  name: string;
  /** The folder where the package is looked for. */
  from: string;
}

export interface Machine {
  env: Environment;
  isTerminal: boolean;
}

/** The settings with the defaults of this machine, and what depends on several sections or on the layers. */
export function configOf(settings: Settings, layers: readonly Layer[], machine: Machine): Config {
  const { leaseSeconds, keepDays, handlers, keep, ...set } = settings;
  const home = set.home ?? defaultHome(machine.env);
  const { folder, ...command } = set.runners.command;
  const isZoneSet = layers.some(({ tree }) => valueAt(tree, ["timezone"]) !== undefined);
  const positionOf = (path: readonly string[]): string => layerOf(layers, path)?.place(path) ?? "";
  const declared = Object.entries(set.schedules).map(
    ([name, one]) => [name, { ...one, place: positionOf(["schedules", name]) }] as const,
  );
  const events = { defaultTarget: set.channels.defaultTarget, capacity: set.runners.max };
  const pluginsFrom = layerOf(layers, ["plugins"])?.from ?? "";
  return {
    ...set,
    home,
    store: set.store ?? { kind: "sqlite", path: join(home, "book.db") },
    timezone: set.timezone ?? hostZone(),
    timezoneFrom: isZoneSet ? "setting" : "host",
    language: set.language ?? "en",
    color: machine.isTerminal && !machine.env["NO_COLOR"],
    leaseMs: Math.round(leaseSeconds * 1_000),
    keepMs: keepDays * 86_400_000,
    runners: {
      ...set.runners,
      command: { ...command, cwd: folder ?? commandFolder(home, layers) },
    },
    schedules: {
      ...Object.fromEntries(declared),
      ...handlerSchedules(handlers, events, positionOf),
    },
    handlers: handlers.map(({ handler }) => handler),
    archives: set.archives ?? { kind: "dir", folder: join(home, "archives") },
    workspaces: {
      ...set.workspaces,
      ...workspaceDefaults({ machines: set.machines, workspaces: set.workspaces, keep }),
      folder: join(home, "workspaces"),
    },
    plugins: set.plugins.map((name) => ({ name, from: pluginsFrom })),
    log: { ...set.log, format: set.log.format ?? (machine.isTerminal ? "pretty" : "json") },
  };
}

/** Commands run beside the file, whose paths start there; without a file, in the home. */
export function commandFolder(home: string, layers: readonly Layer[]): string {
  return layers.find(({ isFile }) => isFile)?.from ?? home;
}

/** The settings as they are shown, with the defaults of this machine. */
export function shownSettings({ home, timezone, language, log }: Config) {
  return { home, store: `sqlite:${join(home, "book.db")}`, timezone, language, log };
}
