import { isDeepStrictEqual } from "node:util";
import type { Reloaded } from "../../features/schedules/index.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { aboutOf, schemaAt } from "../../platform/settings/about.ts";
import type { Config } from "./config.ts";
import { schema } from "./schema.ts";

/** The keys that differ between two configurations, and those of them that need a restart. */
export function reloadable(
  before: Config,
  after: Config,
): { changed: readonly string[]; needsRestart: readonly string[] } {
  const [old, fresh] = [byKey(before), byKey(after)];
  const changed = Object.keys(fresh).filter((key) => !isDeepStrictEqual(old[key], fresh[key]));
  const needsRestart = changed.filter((key) => {
    const part = schemaAt(schema, key.split("."));
    return part !== undefined && aboutOf(part)?.needsRestart === true;
  });
  return { changed, needsRestart };
}

/** The parts of a configuration under the keys of the file. */
function byKey(config: Config): Readonly<Record<string, unknown>> {
  const { http, channels, runners, limits, workspaces, log, ...rest } = config;
  const { folder: _, concurrency, keep, ...otherWorkspaces } = workspaces;
  const { max, command, agent } = runners;
  const { cwd, ...commands } = command;
  return {
    store: rest.store,
    home: rest.home,
    timezone: [rest.timezone, rest.timezoneFrom],
    language: rest.language,
    leaseSeconds: rest.leaseMs,
    keepDays: rest.keepMs,
    "http.host": http.host,
    "http.port": http.port,
    "http.publicUrl": http.publicUrl,
    owners: rest.owners,
    "channels.ntfy": channels.ntfy,
    "channels.webhook": channels.webhook,
    "channels.desktop": channels.desktop !== undefined,
    "channels.desktop.inbox": channels.desktop?.inbox ?? [],
    "channels.exec": channels.exec,
    "channels.telegram": channels.telegram,
    "channels.slack": channels.slack,
    "channels.slack.defaultChannel": channels.defaultTarget,
    "channels.discord": channels.discord,
    "channels.email": channels.email,
    "runners.max": max,
    "runners.command": commands,
    "runners.command.folder": cwd,
    "runners.agent": agent,
    "limits.schedulesPerOwner": limits.schedulesMax,
    "limits.minGapSeconds": limits.minGapMs,
    "limits.undeliverableRuns": limits.undeliverableMax,
    "calendars.allow": rest.calendars.allow,
    "calendars.pollSeconds": rest.calendars.pollMs,
    "calendars.google.clientId": rest.calendars.google.clientId,
    "calendars.google.clientSecret": rest.calendars.google.clientSecret,
    "calendars.google.api": rest.calendars.google.api,
    schedules: withoutPlaces(rest.schedules, (one) => one.of === undefined),
    handlers: [rest.handlers, withoutPlaces(rest.schedules, (one) => one.of !== undefined)],
    sources: rest.sources,
    hooks: rest.hooks,
    health: rest.health,
    machines: rest.machines,
    docker: rest.docker,
    archives: rest.archives,
    s3: rest.s3,
    "workspaces.concurrency": concurrency,
    workspaces: otherWorkspaces,
    keep,
    curves: rest.curves,
    plugins: rest.plugins,
    heartbeat: rest.heartbeat,
    "log.level": log.level,
    "log.format": log.format,
    debug: rest.debug,
  };
}

type Schedule = Config["schedules"][string];

/** Positions do not count. The targets and runs of handlers are compared with the handlers. */
function withoutPlaces(
  schedules: Config["schedules"],
  isIncluded: (one: Schedule) => boolean,
): unknown {
  const same = Object.entries(schedules)
    .filter(([, one]) => isIncluded(one))
    .map(([key, placed]) => {
      const { place: _, of, target, ...one } = placed;
      if (of === undefined) return [key, { ...one, target }] as const;
      const { name, taskType, payload, repo } = of;
      return [key, { ...one, of: { name, taskType, payload, repo } }] as const;
    });
  return Object.fromEntries(same);
}

export interface ConfigKeeper<Kept> {
  /** The last valid one. */
  current(): Kept;
  reload(): Reloaded;
  /** Why the last reload failed; null: it did not. */
  problem(): string | null;
}

/** Keeps the last valid configuration. Throws if the first one is not valid. */
export function configKeeper<Kept extends { config: Config }>(options: {
  load(): Kept;
  log: Log;
}): ConfigKeeper<Kept> {
  const { load, log } = options;
  const first = load();
  let kept = first;
  let problem: string | null = null;

  function reload(): Reloaded {
    try {
      const next = load();
      const { changed } = reloadable(kept.config, next.config);
      const { needsRestart } = reloadable(first.config, next.config);
      [kept, problem] = [next, null];
      log.info("config.reloaded", { changed, needsRestart });
      return { ok: true, changed, needsRestart };
    } catch (error) {
      problem = messageOf(error);
      const problems = problemsOf(error);
      log.error("config.refused", { problems });
      return { ok: false, problems };
    }
  }

  return { current: () => kept, reload, problem: () => problem };
}

function problemsOf(error: unknown): readonly string[] {
  const listed = error instanceof DaybookError ? error.details["problems"] : undefined;
  return Array.isArray(listed) ? listed.map(String) : [messageOf(error)];
}
