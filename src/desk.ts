import { randomBytes } from "node:crypto";
import type { Ground } from "./compose.ts";
import type { Config } from "./config/resolve.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { Desk } from "./operations/ask.ts";
import type { Caller, Reloaded } from "./operations/operation.ts";
import type { Plugged } from "./plugins.ts";

/** Whose book is used on one's own machine, and who asks there. */
export const self: Caller = { owner: "me", by: "me", scopes: ["admin"], origin: null };

interface DeskParts {
  /** The settings of this moment. */
  current(): Config;
  ledger: Ledger;
  ground: Ground;
  plugged: readonly Plugged[];
  reload?(): Reloaded;
}

/** What asks in a book under these settings. */
export function deskFrom({ current, ledger, ground, plugged, reload }: DeskParts): Desk {
  return {
    ledger,
    get channels() {
      return channelNames(current().channels, plugged);
    },
    ...(reload && { reload }),
    now: () => ground.clock.wall(),
    randomBytes,
    defaults: defaultsFrom(current),
  };
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

/** What a daemon with these settings can say something on. */
export function channelNames(
  { ntfy, desktop, exec }: Config["channels"],
  plugged: readonly Plugged[],
): readonly string[] {
  return [
    "inbox",
    "session",
    "stdout",
    "webhook",
    ...(ntfy === undefined ? [] : ["ntfy"]),
    ...(desktop === undefined ? [] : ["desktop"]),
    ...(Object.keys(exec).length === 0 ? [] : ["exec"]),
    ...plugged.flatMap(({ channels }) => channels.map(({ name }) => name)),
  ];
}
