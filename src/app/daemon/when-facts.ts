import { eventKind, sourceKind, type SourceSettings } from "../../features/events/index.ts";
import type { EventFacts } from "../../interfaces/cli/facts.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { self } from "../self.ts";
import { openLedger } from "../stores.ts";

/** So many of the newest events are looked through. */
const eventsMax = 200;

interface Parts {
  config: Config;
  platform: PlatformPorts;
  /** The channels that are set up, by name. */
  channels: readonly string[];
  /** Why files in a folder cannot be taken; null when they can. */
  folderProblem(path: string): string | null;
}

/** What can be seen of handlers, sources and hooks from here. */
export async function whenFacts(parts: Parts): Promise<EventFacts> {
  const { config, platform, channels } = parts;
  const { handlers, sources, hooks } = config;
  const { defaultTarget } = config.channels;
  const seen = await inBook(config, platform);
  return {
    handlers: handlers.map(({ name, target: own }) => {
      const target = own ?? defaultTarget;
      return {
        name,
        target,
        hasChannel: target !== null && channels.includes(parseTarget(target).channel),
      };
    }),
    sources: sources.map((source) => {
      const { name, owner } = source;
      const folder = source.kind === "directory" ? parts.folderProblem(source.folder) : null;
      const problem = folder ?? seen.reasons.get(`${owner} ${name}`) ?? null;
      return { name, problem, missingSettings: wantsOf(source, config) };
    }),
    hooks: hooks.map(({ name }) => name),
    publicUrl: config.http.publicUrl ?? null,
    unhandled: seen.unhandled,
  };
}

/** The settings without which nobody hears it. */
function wantsOf({ kind }: SourceSettings, { channels }: Config): readonly string[] {
  const isUnheard = kind === "slack" && channels.slack?.token === undefined;
  return isUnheard ? ["channels.slack.token"] : [];
}

interface Seen {
  /** Why a source is not heard, by owner and name. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly unhandled: readonly string[];
}

const nothing: Seen = { reasons: new Map(), unhandled: [] };

async function inBook(config: Config, platform: PlatformPorts): Promise<Seen> {
  if (config.store.kind === "memory") return nothing;
  try {
    const ledger = await openLedger(config.store, platform);
    try {
      return await lookIn(ledger, config);
    } finally {
      await ledger.close();
    }
  } catch {
    return nothing; // a book that cannot be opened is told by itself
  }
}

async function lookIn(ledger: Ledger, { sources, hooks, handlers }: Config): Promise<Seen> {
  const reasons = new Map<string, string>();
  const unhandled = new Set<string>();
  const handled = new Set(handlers.flatMap(({ subscribes }) => subscribes));
  for (const owner of new Set([self.owner, ...[...sources, ...hooks].map((each) => each.owner)])) {
    const book = ledger.of(owner, self.by);
    const request = await book.list({ kind: sourceKind, live: true, limit: eventsMax });
    for (const { body, outcome } of request.records) {
      if (outcome !== null && outcome.failures > 0 && outcome.reason !== null) {
        reasons.set(`${owner} ${body.name}`, outcome.reason);
      }
    }
    const newest = { kind: eventKind, live: false, order: "newest", limit: eventsMax } as const;
    for (const { body, outcome } of (await book.list(newest)).records) {
      const isForNobody = outcome?.handler === null && outcome.task === null;
      if (isForNobody && !handled.has(body.type)) unhandled.add(body.type);
    }
  }
  return { reasons, unhandled: [...unhandled].toSorted() };
}
