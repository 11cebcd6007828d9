import { hostname } from "node:os";
import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { add, provide, provideOnce, type Provision } from "../../kernel/port.ts";
import { sleep } from "../../platform/clock.ts";
import { service } from "../../platform/service.ts";
import { homeOwner } from "../accounts/index.ts";
import { type Chore, choreRegistry } from "../nodes/index.ts";
import { dayNumbers } from "../notifications/index.ts";
import { handledTasks, runHooks, workerNames } from "../tasks/index.ts";
import { router, type RouterSettings } from "./controller.ts";
import { type HealthWatch, healthWatch } from "./health-watch.ts";
import { healthy } from "./health.ts";
import { noticesChore } from "./notice-chore.ts";
import { handledTasks as tasksOfEvents } from "./operations/tasks.ts";
import {
  type EventContext,
  eventContext,
  eventOwners,
  eventRules,
  eventSources,
  folderSweep,
  health,
  machine,
  routesEvents,
  workerEnds,
} from "./ports.ts";
import { questions } from "./question-controller.ts";
import { pruneHandled } from "./retention.ts";
import { handlerRuns } from "./run-hook.ts";
import { sourcePoller } from "./source-poller.ts";
import { subscriber, subscriptionsAtOnce } from "./subscription-controller.ts";
import { workerEnd, workerWatch } from "./workers.ts";

export function eventsProvide(host: Host): readonly Provision[] {
  const { ledger } = host;
  return [
    provideOnce(health, () => measured(host)),
    provideOnce(workerEnds, () => workerEnd({ ...host, hooks: host.use(runHooks) })),
    provideOnce(eventContext, () => eventContextFrom(host)),
    provide(handledTasks, () => tasksOfEvents),
    provide(workerNames, () => host.use(eventRules).handlers.map(({ name }) => name)),
    add(runHooks, () =>
      handlerRuns({ ledger, numbers: host.use(dayNumbers), health: () => host.use(health).now() }),
    ),
    add(choreRegistry, () => pruneHandled(ledger, { sweep: host.use(folderSweep) })),
    add(choreRegistry, () => (host.use(routesEvents) ? notices(host) : undefined)),
  ];
}

export function eventsOnNode(host: NodeHost): NodePart {
  const { ledger, profile } = host;
  const numbers = host.use(dayNumbers);
  const sensors = [host.use(health)];
  const always = [
    host.run(questions({ profile, numbers })),
    host.run(subscriber(host), { concurrency: subscriptionsAtOnce }),
  ];
  if (!host.use(routesEvents)) return { sensors, services: always };
  const settings = (): RouterSettings => {
    const { health: now, reason } = host.use(health).now();
    return { ...host.use(eventRules), health: now, healthReason: reason };
  };
  const watch = workerWatch({
    ...host,
    handlers: () => host.use(workerNames),
    ends: host.use(workerEnds),
  });
  const sources = sourcePoller(host);
  return {
    sensors,
    services: [host.run(router({ ledger, profile, numbers, settings })), watch, sources, ...always],
    reloadSettings: () => sources.wake(),
  };
}

/** A machine that is not measured is always healthy. */
function measured(host: Host): HealthWatch {
  const measures = host.use(machine);
  if (measures !== undefined) return healthWatch({ ...host, ...measures });
  const nothing = { start: () => Promise.resolve(), stop: () => Promise.resolve() };
  return { ...service(nothing), now: () => healthy };
}

function eventContextFrom(host: Host): EventContext {
  return {
    home: host.use(homeOwner),
    get handlers() {
      return host.use(eventRules).handlers;
    },
    get capacity() {
      return host.use(eventRules).capacity;
    },
    ends: host.use(workerEnds),
    waiting: new Map(),
    pause: (ms) => sleep(host.clock, ms),
  };
}

function notices(host: Host): Chore {
  return noticesChore({
    ...host,
    owners: () => [...host.use(eventOwners), ...host.use(eventSources).map(({ owner }) => owner)],
    home: host.use(homeOwner),
    defaultTarget: () => host.use(eventRules).defaultTarget,
    host: hostname(),
    // Without handlers the load of the machine matters to nobody.
    health: () => (host.use(eventRules).handlers.length === 0 ? healthy : host.use(health).now()),
  });
}
