import { randomBytes } from "node:crypto";
import { sessionOf } from "../features/notifications/routing.ts";
import type { SetDown } from "../features/schedules/operations/declared.ts";
import type { Desk } from "../kernel/ask.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Caller, Simulate } from "../kernel/operation.ts";
import type { Ground } from "./compose.ts";
import type { Config } from "./config/resolve.ts";
import type { AlwaysHere } from "./keeping.ts";
import type { Plugged } from "./plugins.ts";
import { runnersHere } from "./runners-here.ts";
import { whenDesk } from "./when-desk.ts";
import { workspacesDesk } from "./workspaces-desk.ts";

/** Whose book is used on one's own machine, and who asks there. */
export const self: Caller = { owner: "me", by: "me", scopes: ["admin"], origin: null };

/** The same, asking in a session: what is asked there is answered there. */
export function selfIn(session: string | undefined): Caller {
  return session === undefined ? self : { ...self, origin: sessionOf(self.owner, session) };
}

interface DeskParts {
  /** The settings of this moment. */
  current(): Config;
  ledger: Ledger;
  ground: Ground;
  plugged: readonly Plugged[];
  /** Where this process can be asked over HTTP, if it can. */
  url?(): string | undefined;
  reload?: Desk["reload"];
  /** The settings as they are written now; throws what is wrong with them. */
  written?(): Config;
  /** Where workspaces live, once somebody wants to know. */
  always?(): AlwaysHere;
}

/** What asks in a book under these settings. */
export function deskFrom(parts: DeskParts): Desk {
  const { current, ledger, ground, plugged, url, reload, written, always } = parts;
  const defaults = defaultsFrom(current);
  const settings = (): Config["when"] => current().when;
  return {
    ledger,
    when: whenDesk({ ledger, ground, defaults, home: self.owner, settings }),
    ...(always && { workspaces: workspacesDesk(ledger, ground, always) }),
    get channels() {
      return channelNames(current().channels, plugged);
    },
    ...(reload && { reload }),
    ...(written && { written: () => deskUnder(written(), parts) }),
    now: () => ground.clock.wall(),
    get baseUrl() {
      const { http } = current();
      return http.publicUrl ?? url?.() ?? addressOf(http);
    },
    declared: () => setDownIn(current()),
    get runners() {
      return runnersHere(current());
    },
    get minGapMs() {
      return current().limits.minGapMs;
    },
    get schedulesMax() {
      return current().limits.schedulesMax;
    },
    get curves() {
      return current().curves;
    },
    randomBytes,
    simulate: simulates(ledger),
    defaults,
  };
}

function deskUnder(config: Config, parts: DeskParts): Desk {
  return deskFrom({ ...parts, current: () => config });
}

/** Loaded when it is asked for: most never are. */
export function simulates(ledger: Ledger): Simulate {
  return async (owner, span) => (await import("./simulate.ts")).simulate(ledger, owner, span);
}

/** What is set for an owner. */
export function defaultsFrom(current: () => Config): Desk["defaults"] {
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
export function setDownIn({ schedules, owners }: Config): SetDown {
  return { source: "config", owners: [self.owner, ...Object.keys(owners)], schedules };
}

/** Where a daemon with these settings listens. */
function addressOf({ host, port }: Config["http"]): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What a daemon with these settings can say something on. */
export function channelNames(
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
