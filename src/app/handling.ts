import { hostname } from "node:os";
import {
  router,
  type RouterSettings,
  healthWatch,
  well,
  type Condition,
  type HealthLimits,
  type Load,
  noticesChore,
  questions,
  forgetHandled,
  subscriber,
  subscriptionsAtOnce,
  workerEnd,
  workerWatch,
} from "../features/events/index.ts";
import type { Chore } from "../features/nodes/index.ts";
import type { Numbers } from "../features/notifications/index.ts";
import type { RunHook } from "../features/tasks/index.ts";
import type { Controller } from "../kernel/controller.ts";
import type { Events } from "../kernel/events.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Profile } from "../kernel/profile.ts";
import type { Shape } from "../kernel/shape.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { service, type Service } from "../platform/service.ts";
import { runHooks } from "./run-hooks.ts";
import { self } from "./self.ts";
import { sourcing, type SourceHere } from "./sourcing.ts";

/** What a node does for events. */
export interface WhenHere {
  /** Who handles them, as it is set now. */
  settings(): Omit<RouterSettings, "health" | "healthReason">;
  /** How the machine is measured, and from where on it has too much to do; absent: it is always well. */
  health?: { limits(): HealthLimits; measure(): Promise<Load> };
  /** What is asked what happened, as it is set now: the same list as long as nothing has changed. */
  sources?(): readonly SourceHere[];
  /** In whose books events are told of beside those of the sources. */
  owners?(): readonly string[];
}

interface HandlingParts extends PlatformPorts {
  ledger: Ledger;
  events: Bus<Events>;
  profile(owner: string): Promise<Profile>;
  numbers: Numbers;
  run: Run;
}

/** Runs a controller on this node, so many of its records at once. */
export type Run = <K extends Shape, Seen>(
  controller: Controller<K, Seen>,
  concurrency?: number,
) => Service;

interface Handling {
  /** Before anybody asks how the machine is. */
  readonly health: Service & { now(): Condition };
  /** What the features add to the end of a run. */
  readonly hooks: readonly RunHook[];
  readonly services: readonly Service[];
  readonly chores: readonly Chore[];
  /** What is set has changed. */
  reread(): void;
}

/** All that happens unasked for events, questions and those who hear of changes. */
export function handling(
  parts: HandlingParts,
  when: WhenHere | undefined,
  sweep?: (before: number) => Promise<number>,
): Handling {
  const { ledger, profile, numbers, run } = parts;
  const always = [
    run(questions({ profile, numbers })),
    run(subscriber({ ...parts }), subscriptionsAtOnce),
  ];
  const forgets = forgetHandled(ledger, sweep === undefined ? {} : { sweep });
  const health = watched(parts, when?.health);
  const hooks = runHooks({ ledger, numbers, health: health.now });
  if (when === undefined) {
    return { health, hooks, services: always, chores: [forgets], reread: () => undefined };
  }
  const { settings, sources = () => none, owners = () => [] } = when;
  const settingsNow = (): RouterSettings => {
    const { health: now, reason } = health.now();
    return { ...settings(), health: now, healthReason: reason };
  };
  const asking = sourcing({ ...parts, current: sources, run: (controller) => run(controller, 1) });
  const tells = noticesChore({
    ledger,
    profile,
    owners: () => [...owners(), ...sources().map(({ owner }) => owner)],
    home: self.owner,
    defaultTarget: () => settings().defaultTarget,
    host: hostname(),
    // Where nobody handles anything, nobody need know what the machine has to do.
    health: () => (settings().handlers.length === 0 ? well : health.now()),
  });
  const watch = workerWatch({
    ...parts,
    handlers: () => settings().handlers.map(({ name }) => name),
    ends: workerEnd({ ...parts, hooks }),
  });
  const routes = run(router({ ledger, profile, numbers, settings: settingsNow }));
  return {
    health,
    hooks,
    services: [routes, watch, asking, ...always],
    chores: [forgets, tells],
    reread: asking.wake,
  };
}

const none: readonly SourceHere[] = [];

function watched(
  { clock, events }: Pick<HandlingParts, "clock" | "events">,
  health: WhenHere["health"],
): Service & { now(): Condition } {
  if (health !== undefined) return healthWatch({ clock, events, ...health });
  const nothing = { start: () => Promise.resolve(), stop: () => Promise.resolve() };
  return { ...service(nothing), now: () => well };
}
