import { randomBytes } from "node:crypto";
import {
  type AddressReader,
  addressReadersOfOwn,
  homeOwner,
  profileDefaults,
} from "../features/accounts/index.ts";
import { simulation, type Simulate } from "../features/book/index.ts";
import { calendarSettings, sealer } from "../features/calendars/index.ts";
import { type EventRules, eventRules } from "../features/events/index.ts";
import { features } from "../features/index.ts";
import { nagPass, namedCurves } from "../features/nags/index.ts";
import { keepMs } from "../features/nodes/index.ts";
import {
  addressReaders,
  addressReadersOf,
  callRule,
  channelNames,
} from "../features/notifications/index.ts";
import {
  declaredSchedules,
  reloadSettings,
  scheduleLimits,
  writtenSettings,
  type MadeSchedules,
  type Reloaded,
  type DeclaredSchedules,
} from "../features/schedules/index.ts";
import { localRunners } from "../features/tasks/index.ts";
import { workspaceBackend, type WorkspaceBackend } from "../features/workspaces/index.ts";
import { hostOf } from "../kernel/compose.ts";
import { levelOf, type Events } from "../kernel/events.ts";
import type { Host } from "../kernel/host.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { provide, provideOnce, type Provision } from "../kernel/port.ts";
import type { Profile } from "../kernel/profile.ts";
import { DaybookError } from "../platform/errors.ts";
import { bus, type Bus } from "../platform/event-bus.ts";
import type { Log } from "../platform/log.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { quote } from "../platform/text.ts";
import { calendarServices } from "./calendar-services.ts";
import type { Config } from "./config/config.ts";
import { localCaller } from "./local-caller.ts";
import { nagPassOver } from "./nag-pass.ts";
import type { Plugged } from "./plugins.ts";
import { callRuleOf, runnersSetUp } from "./runners-set-up.ts";
import { sealerAt } from "./sealing.ts";

/** Called with each warning and error, by the name of the event. */
export type OnError = (what: string, facts: object) => void;

interface Parts {
  /** The current settings. */
  current(): Config;
  ledger: Ledger;
  platform: PlatformPorts;
  /** The URL under which others reach it. */
  baseUrl(): string;
  randomBytes?: ((count: number) => Uint8Array) | undefined;
  /** Absent: no workspaces are kept. */
  workspaces?: (() => WorkspaceBackend) | undefined;
  /** Where the declared schedules come from. */
  source: "config" | "code";
  /** Instead of those of the settings. */
  rules?: (() => EventRules) | undefined;
  onError?: OnError | undefined;
  /** The ports that differ between a daemon and a book in another program. */
  provisions: readonly Provision[];
}

/** The host of all features under these settings. */
export function hostFor(parts: Parts): Host {
  const { current, ledger, platform, workspaces, source, onError, ...rest } = parts;
  const host: Host = hostOf(features, {
    ...platform,
    ledger,
    events: loggedBus(platform.log, onError),
    baseUrl: rest.baseUrl,
    randomBytes: rest.randomBytes ?? randomBytes,
    provisions: [
      provide(homeOwner, () => localCaller.owner),
      provide(profileDefaults, () => defaultsFrom(current)),
      provide(keepMs, () => current().keepMs),
      provide(namedCurves, () => current().curves),
      provide(calendarSettings, () => current().calendars),
      provideOnce(nagPass, () => nagPassOver(host)),
      provide(scheduleLimits, () => current().limits),
      provide(declaredSchedules, () => declaredIn(current(), source)),
      provide(eventRules, rest.rules ?? (() => rulesOf(current()))),
      provide(workspaceBackend, () => workspaces),
      provide(simulation, () => simulateOver(ledger)),
      ...calendarServices(() => current().calendars, platform.clock, {
        use: (wanted) => host.use(wanted),
      }),
      ...rest.provisions,
    ],
  });
  return host;
}

interface DaemonParts extends Omit<Parts, "baseUrl" | "source"> {
  plugged: readonly Plugged[];
  /** The URL of this process, if it serves HTTP. */
  url?(): string | undefined;
  /** Reads the settings again and applies them. */
  reload?(): Promise<Reloaded<MadeSchedules>>;
  /** The settings as the file has them now; throws what is wrong with them. */
  written?(): Config;
}

/** The host of a daemon, which takes everything from the settings. */
export function daemonHost(parts: DaemonParts): Host {
  const { current, plugged, url, reload, written } = parts;
  const under = (config: Config): Host => daemonHost({ ...parts, current: () => config });
  return hostFor({
    ...parts,
    source: "config",
    baseUrl() {
      const { http } = current();
      return http.publicUrl ?? url?.() ?? addressOf(http);
    },
    provisions: [
      provide(channelNames, () => channelsSetUp(current().channels, plugged)),
      provide(addressReaders, () => readersSetUp(current().channels, plugged)),
      provide(callRule, () => callRuleOf(current())),
      provide(localRunners, () => runnersSetUp(current())),
      provide(reloadSettings, () => reload),
      provide(writtenSettings, () => written && (() => under(written()))),
      provideOnce(sealer, () => sealerAt(current().home)),
      ...parts.provisions,
    ],
  });
}

/** Loaded on use: most installations never simulate. */
function simulateOver(ledger: Ledger): Simulate {
  return async (owner, span) => (await import("./simulate.ts")).simulate(ledger, owner, span);
}

/** The defaults of an owner's profile. */
function defaultsFrom(current: () => Config): (owner: string) => Profile {
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

function rulesOf({ handlers, channels, runners }: Config): EventRules {
  return { handlers, defaultTarget: channels.defaultTarget, capacity: runners.max };
}

/** A schedule that left the settings is searched in the books of all owners named there. */
function declaredIn({ schedules, owners }: Config, source: Parts["source"]): DeclaredSchedules {
  return { source, owners: [localCaller.owner, ...Object.keys(owners)], schedules };
}

/** Where a daemon with these settings listens. */
function addressOf({ host, port }: Config["http"]): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The channels of a daemon with these settings. */
export function channelsSetUp(
  { ntfy, desktop, exec, ...chats }: Config["channels"],
  plugged: readonly Plugged[],
): readonly string[] {
  const isConfigured = {
    inbox: true,
    session: true,
    stdout: true,
    webhook: true,
    ntfy: ntfy !== undefined,
    desktop: desktop !== undefined,
    exec: Object.keys(exec).length > 0,
    telegram: chats.telegram?.token !== undefined,
    slack: chats.slack?.token !== undefined,
    discord: chats.discord?.token !== undefined,
    email: chats.email !== undefined,
  };
  return [
    ...Object.entries(isConfigured).flatMap(([name, isSet]) => (isSet ? [name] : [])),
    ...plugged.flatMap(({ channels }) => channels.map(({ name }) => name)),
  ];
}

/** What reads the addresses of the channels of a daemon with these settings. */
function readersSetUp(
  { exec }: Config["channels"],
  plugged: readonly Plugged[],
): Readonly<Record<string, AddressReader>> {
  const program = (name: string): void => {
    if (Object.hasOwn(exec, name)) return;
    const known = Object.keys(exec).join(", ");
    const sentence = `There is no program ${quote(name)}: use one of ${known}, or add it under channels.exec.`;
    throw new DaybookError("invalid", sentence);
  };
  const others = addressReadersOf(plugged.flatMap(({ channels }) => channels));
  return { ...others, ...addressReadersOfOwn, exec: program };
}

/** A bus whose first listener writes the log. */
function loggedBus(log: Log, onError: OnError | undefined): Bus<Events> {
  const events = bus<Events>();
  events.listen((name, facts) => {
    const level = levelOf(name);
    log[level](name, { ...facts });
    if (level === "warn" || level === "error") onError?.(name, facts);
  });
  return events;
}
