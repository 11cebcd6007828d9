import { eventKind, sourceKind, type SourceSettings } from "../../features/events/index.ts";
import type { EventFacts } from "../../interfaces/cli/facts.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { Config } from "../config/config.ts";
import { localCaller } from "../local-caller.ts";
import { refusedFiles, type UseBook } from "../stores.ts";

/** How many of the newest events are searched. */
const eventsMax = 200;

interface Parts {
  config: Config;
  book: UseBook;
  /** The configured channels, by name. */
  channels: readonly string[];
  /** Why a folder cannot be used; null when it can. */
  folderProblem(path: string): string | null;
}

/** The state of handlers, sources and hooks, as far as this process can check it. */
export async function eventFacts(parts: Parts): Promise<EventFacts> {
  const { config, channels } = parts;
  const { handlers, sources, hooks } = config;
  const { defaultTarget } = config.channels;
  const found = await findInBook(config, parts.book);
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
      const problem = folder ?? found.reasons.get(`${owner} ${name}`) ?? null;
      return { name, problem, missingSettings: missingFor(source, config) };
    }),
    hooks: hooks.map(({ name }) => name),
    publicUrl: config.http.publicUrl ?? null,
    unhandled: found.unhandled,
    ...(await refusedIn(config)),
  };
}

/** The files of other programs that the store refused, if it refused one. */
export async function refusedIn({
  store,
}: Pick<Config, "store">): Promise<Pick<EventFacts, "refused">> {
  const refused = await refusedFiles(store);
  return refused === undefined || refused.files === 0 ? {} : { refused };
}

/** The settings that a source needs to receive events. */
function missingFor({ kind }: SourceSettings, { channels }: Config): readonly string[] {
  const isMissing = kind === "slack" && channels.slack?.token === undefined;
  return isMissing ? ["channels.slack.token"] : [];
}

interface Found {
  /** Why a source fails, by owner and name. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly unhandled: readonly string[];
}

const nothing: Found = { reasons: new Map(), unhandled: [] };

async function findInBook(config: Config, book: UseBook): Promise<Found> {
  try {
    return await book((ledger) => find(ledger, config));
  } catch {
    return nothing; // a book that cannot be opened is reported by itself
  }
}

async function find(ledger: Ledger, { sources, hooks, handlers }: Config): Promise<Found> {
  const reasons = new Map<string, string>();
  const unhandled = new Set<string>();
  const handled = new Set(handlers.flatMap(({ subscribes }) => subscribes));
  for (const owner of new Set([
    localCaller.owner,
    ...[...sources, ...hooks].map((each) => each.owner),
  ])) {
    const book = ledger.of(owner, localCaller.by);
    const failing = await book.list({ kind: sourceKind, live: true, limit: eventsMax });
    for (const { body, outcome } of failing.records) {
      if (outcome !== null && outcome.failures > 0 && outcome.reason !== null) {
        reasons.set(`${owner} ${body.name}`, outcome.reason);
      }
    }
    const newest = { kind: eventKind, live: false, order: "newest", limit: eventsMax } as const;
    for (const { body, outcome } of (await book.list(newest)).records) {
      const isUnhandled = outcome?.handler === null && outcome.task === null;
      if (isUnhandled && !handled.has(body.type)) unhandled.add(body.type);
    }
  }
  return { reasons, unhandled: [...unhandled].toSorted() };
}
