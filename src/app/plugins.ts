import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isChannel, type Channel } from "../features/notifications/index.ts";
import type { Clock } from "../platform/clock.ts";
import { withDeadline } from "../platform/deadline.ts";
import { messageOf } from "../platform/errors.ts";
import { oneLine, quote } from "../platform/text.ts";
import type { Plugin } from "./config/config.ts";

/** A plugin after loading. */
export interface Plugged {
  readonly name: string;
  /** Empty if the plugin is off. */
  readonly channels: readonly Channel[];
  /** Why it is off and what to do about it; null: it is on. */
  readonly problem: string | null;
}

/** The channels of Daybook itself, which a plugin must not hide. */
const ownNames = [
  "inbox",
  "session",
  "sessions",
  "stdout",
  "webhook",
  "ntfy",
  "desktop",
  "exec",
  "telegram",
  "slack",
  "discord",
  "email",
];
const loadMsMax = 10_000;

/** Loads plugins in their order. One that does not work is off, and the others stay on. */
export async function loadPlugins(
  plugins: readonly Plugin[],
  clock: Clock,
): Promise<readonly Plugged[]> {
  const taken = new Set(ownNames);
  const all: Plugged[] = [];
  for (const plugin of plugins) {
    const { name } = plugin;
    try {
      const channels = channelsIn(await loaded(plugin, clock), taken);
      for (const channel of channels) taken.add(channel.name);
      all.push({ name, channels, problem: null });
    } catch (error) {
      all.push({ name, channels: [], problem: oneLine(messageOf(error), 500) });
    }
  }
  return all;
}

async function loaded(plugin: Plugin, clock: Clock): Promise<unknown> {
  const { signal } = new AbortController();
  const limits = { clock, timeoutMs: loadMsMax, graceMs: 0, signal };
  const result = await withDeadline(limits, () => load(plugin)).catch((error: unknown) => {
    const reason = messageOf(error);
    throw new Error(`it cannot be loaded (${reason}): fix it, or remove it from the list`);
  });
  if ("done" in result) return result.done;
  throw new Error(
    `it did not load within ${loadMsMax / 1_000} s: remove what waits while it loads`,
  );
}

function load({ name, from }: Plugin): Promise<unknown> {
  return import(isAbsolute(name) ? pathToFileURL(name).href : packageFrom(name, from));
}

/** A package near the settings comes before one near Daybook. */
function packageFrom(name: string, from: string): string {
  try {
    return pathToFileURL(createRequire(join(from, "daybook.yaml")).resolve(name)).href;
  } catch {
    return name;
  }
}

function channelsIn(module: unknown, taken: ReadonlySet<string>): readonly Channel[] {
  const { channels } = module as { readonly channels?: unknown };
  if (!Array.isArray(channels) || channels.length === 0) {
    throw new Error("it has no channels: add export const channels = [{ name, send }]");
  }
  const names = new Set(taken);
  return channels.map((each: unknown, at) => {
    if (!isChannel(each)) {
      const form = "give it a name of small letters, digits and dashes, and a function send";
      throw new Error(`its channels[${at}] is not a channel: ${form}`);
    }
    if (names.has(each.name)) {
      throw new Error(
        `its channel ${quote(each.name)} has a name that is already used: choose another`,
      );
    }
    names.add(each.name);
    return each;
  });
}
