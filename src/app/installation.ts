import { randomBytes } from "node:crypto";
import { profileChange, targetCheck, readProfile } from "../features/accounts/index.ts";
import { simulation, type Simulate } from "../features/book/index.ts";
import { handledTasks as tasksOfEvents, eventHandling } from "../features/events/index.ts";
import { namedCurves, nagWakes } from "../features/nags/index.ts";
import {
  numbers,
  checkTarget,
  callRule,
  channelNames,
  dayNumbers,
} from "../features/notifications/index.ts";
import {
  noticesAfterFailures,
  declaredSchedules,
  reloadSettings,
  scheduleLimits,
  writtenSettings,
  type MadeSchedules,
  type Reloaded,
  type DeclaredSchedules,
} from "../features/schedules/index.ts";
import {
  failureNotices,
  handledTasks,
  runWorkspaces,
  workerNames,
  localRunners,
} from "../features/tasks/index.ts";
import { keptWorkspaces } from "../features/workspaces/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Installation } from "../kernel/operation.ts";
import { portsFrom, provide, type Provision } from "../kernel/port.ts";
import type { Profile } from "../kernel/profile.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import type { Config } from "./config/resolve.ts";
import { eventHandlingFrom, type HandlingSettings } from "./event-handling.ts";
import type { AlwaysHere } from "./keeping.ts";
import type { Plugged } from "./plugins.ts";
import { callRuleOf, runnersSetUp } from "./runners-set-up.ts";
import { self } from "./self.ts";
import { workspacePorts } from "./workspace-ports.ts";

interface Parts {
  /** The settings of this moment. */
  current(): Config;
  ledger: Ledger;
  platform: Pick<PlatformPorts, "clock" | "random">;
  /** Absent: of this moment. */
  handling?(): HandlingSettings;
  /** How others reach it. */
  baseUrl(): string;
  randomBytes?(count: number): Uint8Array;
  /** Where workspaces live, once somebody wants to know. */
  always?: (() => AlwaysHere) | undefined;
  /** What differs between a daemon and a book in a program of somebody else's. */
  provides: readonly Provision[];
}

/** What operations run on under these settings. */
export function installationOf(parts: Parts): Installation {
  const { current, ledger, platform, always, baseUrl } = parts;
  const { handling: settings = () => current().when } = parts;
  const defaults = defaultsFrom(current);
  const profileOf: Installation["readProfile"] = (owner, where = ledger) =>
    readProfile(where, owner, defaults);
  const numbered = numbers(ledger);
  const about = { ledger, platform, numbers: numbered, readProfile: profileOf };
  const handling = eventHandlingFrom({ ...about, home: self.owner, settings });
  const workspaces = always && workspacePorts(ledger, platform, always);
  return {
    ledger,
    readProfile: profileOf,
    now: () => platform.clock.wall(),
    randomBytes: parts.randomBytes ?? randomBytes,
    get baseUrl() {
      return baseUrl();
    },
    ...portsFrom([
      provide(dayNumbers, () => numbered),
      provide(targetCheck, () => checkTarget),
      provide(profileChange, () => nagWakes),
      provide(namedCurves, () => current().curves),
      provide(handledTasks, () => tasksOfEvents),
      provide(failureNotices, () => noticesAfterFailures),
      provide(workerNames, () => settings().handlers.map(({ name }) => name)),
      provide(runWorkspaces, () => workspaces),
      provide(scheduleLimits, () => current().limits),
      provide(declaredSchedules, () => declaredIn(current())),
      provide(eventHandling, () => handling),
      provide(keptWorkspaces, () => workspaces),
      provide(simulation, () => simulates(ledger)),
      ...parts.provides,
    ]),
  };
}

interface DaemonParts extends Omit<Parts, "baseUrl" | "provides"> {
  plugged: readonly Plugged[];
  /** Where this process can be asked over HTTP, if it can. */
  url?(): string | undefined;
  /** Reads the settings again, and takes them up. */
  reload?(): Promise<Reloaded<MadeSchedules>>;
  /** The settings as they are written now; throws what is wrong with them. */
  written?(): Config;
}

/** The same for a daemon: everything is as its settings say. */
export function daemonInstallation(parts: DaemonParts): Installation {
  const { current, plugged, url, reload, written } = parts;
  const under = (config: Config): Installation =>
    daemonInstallation({ ...parts, current: () => config });
  return installationOf({
    ...parts,
    baseUrl() {
      const { http } = current();
      return http.publicUrl ?? url?.() ?? addressOf(http);
    },
    provides: [
      provide(channelNames, () => channelsSetUp(current().channels, plugged)),
      provide(callRule, () => callRuleOf(current())),
      provide(localRunners, () => runnersSetUp(current())),
      provide(reloadSettings, () => reload),
      provide(writtenSettings, () => written && (() => under(written()))),
    ],
  });
}

/** Loaded when it is asked for: most never are. */
function simulates(ledger: Ledger): Simulate {
  return async (owner, span) => (await import("./simulate.ts")).simulate(ledger, owner, span);
}

/** What is set for an owner. */
export function defaultsFrom(current: () => Config): (owner: string) => Profile {
  return (owner) => {
    const config = current(); // a reload changes it
    const set = Object.hasOwn(config.owners, owner) ? (config.owners[owner] ?? {}) : {};
    return {
      zone: set.timezone ?? config.timezone,
      zoneFrom: set.timezone === undefined ? config.timezoneFrom : "setting",
      language: set.language ?? config.language,
      home: set.home ?? null,
      quiet: set.quiet ?? null,
    };
  };
}

/** What was taken out of the settings is found in the books of those who are named in them. */
export function declaredIn({ schedules, owners }: Config): DeclaredSchedules {
  return { source: "config", owners: [self.owner, ...Object.keys(owners)], schedules };
}

/** Where a daemon with these settings listens. */
function addressOf({ host, port }: Config["http"]): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What a daemon with these settings can say something on. */
export function channelsSetUp(
  { ntfy, desktop, exec, ...chats }: Config["channels"],
  plugged: readonly Plugged[],
): readonly string[] {
  const { telegram, slack, discord, email } = chats;
  return [
    "inbox",
    "session",
    "stdout",
    "webhook",
    ...(ntfy === undefined ? [] : ["ntfy"]),
    ...(desktop === undefined ? [] : ["desktop"]),
    ...(Object.keys(exec).length === 0 ? [] : ["exec"]),
    ...(telegram?.token === undefined ? [] : ["telegram"]),
    ...(slack?.token === undefined ? [] : ["slack"]),
    ...(discord?.token === undefined ? [] : ["discord"]),
    ...(email === undefined ? [] : ["email"]),
    ...plugged.flatMap(({ channels }) => channels.map(({ name }) => name)),
  ];
}
