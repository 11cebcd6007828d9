import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isChannel, type Channel } from "../features/notifications/index.ts";
import type { Clock } from "../platform/clock.ts";
import { withDeadline } from "../platform/deadline.ts";
import { messageOf } from "../platform/errors.ts";
import { oneLine, quote } from "../platform/text.ts";
import type { Plugin } from "./config/config.ts";

/** What became of one plugin. */
export interface Plugged {
  readonly name: string;
  /** None of one that is off. */
  readonly channels: readonly Channel[];
  /** Why it is off, and what to do about it. */
  readonly problem: string | null;
}

/** What Daybook itself may be set up with: a plugin that takes one of these would hide it. */
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

/** Loads plugins in their order. One that does not work is off, and the others are not. */
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
    const why = messageOf(error);
    throw new Error(`it cannot be loaded (${why}): mend it, or take it off the list`);
  });
  if ("done" in result) return result.done;
  throw new Error(`it did not load within ${loadMsMax / 1_000} s: let nothing wait while it loads`);
}

function load({ name, from }: Plugin): Promise<unknown> {
  return import(isAbsolute(name) ? pathToFileURL(name).href : packageFrom(name, from));
}

/** A package beside the settings comes before one beside Daybook. */
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
    throw new Error("it has no channels: write export const channels = [{ name, send }]");
  }
  const names = new Set(taken);
  return channels.map((each: unknown, at) => {
    if (!isChannel(each)) {
      const form = "give it a name of small letters, digits and dashes, and a function send";
      throw new Error(`its channels[${at}] is none: ${form}`);
    }
    if (names.has(each.name)) {
      throw new Error(`its channel ${quote(each.name)} has a name that is taken: choose another`);
    }
    names.add(each.name);
    return each;
  });
}
