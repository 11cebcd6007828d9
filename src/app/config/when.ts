import {
  targetOf,
  type HandlerEntry,
  type Handler,
  type HealthLimits,
} from "../../features/events/index.ts";
import type { RunTemplate } from "../../features/tasks/index.ts";
import { readLength } from "../../time/cadence/length.ts";
import type { Layer } from "./layers.ts";
import { resolveHooks, resolveSources } from "./resolve-sources.ts";
import type { Settings } from "./schema.ts";
import type { SourceSettings, HookSettings } from "./when-settings.ts";

/** What is done when something happens elsewhere, as the program uses it. */
export interface WhenSettings {
  /** In the order of the file. */
  readonly handlers: readonly Handler[];
  readonly sources: readonly SourceSettings[];
  readonly hooks: readonly HookSettings[];
  /** Where work speaks that no chat asked for: `slack:C0123`. */
  readonly defaultTarget: string | null;
  /** How many tasks of handlers are at work here at once. */
  readonly capacity: number;
  /** From how much on the machine has much, or too much, to do. */
  readonly health: HealthLimits;
}

export function resolveWhen(settings: Settings, layers: readonly Layer[]): WhenSettings {
  const { handlers, sources, hooks, health, runners, channels } = settings;
  const defaultTarget = channels.slack?.defaultChannel;
  return {
    handlers: Object.entries(handlers).map(([name, one]) => handlerFrom(name, one)),
    sources: resolveSources(sources, layers),
    hooks: resolveHooks(hooks),
    defaultTarget: defaultTarget === undefined ? null : targetOf(defaultTarget),
    capacity: runners.max,
    health,
  };
}

function handlerFrom(name: string, one: HandlerEntry): Handler {
  const { subscribes, run, timeout, retries, channel, channels, repo } = one;
  const runs = run && runOf(run);
  return {
    name,
    subscribes,
    ...(runs && { run: runs }),
    timeoutMs: readLength(timeout),
    retries,
    target: channel === undefined ? null : targetOf(channel),
    channels: channels.map(targetOf),
    repo: repo ?? null,
  };
}

/** Exactly one of them is said, or the settings were refused. */
function runOf(run: NonNullable<HandlerEntry["run"]>): RunTemplate | undefined {
  const { command, cwd, agent, http, secret, task, input } = run;
  const place = run.in === undefined ? {} : { in: run.in };
  if (command !== undefined) return { command, ...(cwd === undefined ? {} : { cwd }), ...place };
  if (agent !== undefined) return { agent, ...place };
  if (http !== undefined) {
    return { http, secret: typeof secret === "string" ? secret : "", ...place };
  }
  if (task !== undefined) return { task, ...(input === undefined ? {} : { input }), ...place };
  return undefined;
}
