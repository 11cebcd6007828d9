import { homeOwner } from "../../features/accounts/index.ts";
import type { HealthWatch } from "../../features/events/health-watch.ts";
import { healthy } from "../../features/events/health.ts";
import {
  eventRules,
  eventSources,
  health,
  routesEvents,
  type OwnedSource,
} from "../../features/events/ports.ts";
import { features as allFeatures } from "../../features/index.ts";
import { choreRegistry, keepMs, nodeSilenceMs, type Chore } from "../../features/nodes/index.ts";
import { channelTap, nodeChannels } from "../../features/notifications/index.ts";
import { nodeRunners, type Runner } from "../../features/tasks/index.ts";
import { workspaceBackend, type WorkspaceBackend } from "../../features/workspaces/index.ts";
import { ledgerOver } from "../../kernel/checked-ledger.ts";
import { hostOf, nodeOf } from "../../kernel/compose.ts";
import type { Events } from "../../kernel/events.ts";
import { feature, type Feature } from "../../kernel/feature.ts";
import type { Host, Node } from "../../kernel/host.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { bus, type Bus } from "../../platform/event-bus.ts";
import { ids } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { service } from "../../platform/service.ts";
import { workHandlers } from "./event-handlers.ts";
import { sourcePollMs, sourceOwner } from "./event-service.ts";
import { observedChannel } from "./faulty-channel.ts";
import { handlerRunner } from "./handler-runner.ts";
import { processName, type VirtualProcess } from "./kernel.ts";
import type { MachineOptions } from "./machine.ts";
import { reconciler } from "./reconciler.ts";
import type { Scale } from "./scale.ts";
import { scheduleRunner } from "./schedule-runner.ts";
import { owners } from "./targets.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import { workspaceRunner } from "./workspace-runner.ts";

/** The node of one machine: what the program composes, over a store, channels and machines that fail. */
export function simulatedNode(
  options: MachineOptions,
  clock: VirtualClock,
  process: VirtualProcess,
): Node {
  const { kernel, store, index, scale } = options;
  const random = kernel.randomFor(1_000 * (index + 1) + process.generation);
  const ledger = ledgerOver(store.transport(process));
  const features = featuresOf(options, process);
  const host = hostOf(features, {
    ledger,
    clock,
    random,
    log: silentLog(clock),
    events: eventBus(options, process),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.bits() & 0xff),
    provisions: provisions(options, { ledger, clock, process }),
  });
  const { leaseMs, pollMs } = scale;
  const self = {
    name: processName(process),
    version: "0",
    host: "virtual",
    pid: process.generation,
  };
  return nodeOf(features, host, { self, leaseMs, pollMs, tune });
}

/** Small enough that shares and limits are met. */
function tune<Options>(controller: string, runtime: Options): Options {
  if (controller === "deliverer") return { ...runtime, concurrency: 6, laneShare: 3 };
  if (controller === "workspaces") return { ...runtime, concurrency: 60 };
  return { ...runtime, concurrency: controller === "tasks workspace" ? 8 : 4 };
}

/** Those of this world, in their order; the relay comes last. */
function featuresOf(options: MachineOptions, process: VirtualProcess): readonly Feature[] {
  const { hasNags, hasSchedules, hasEvents, backend, scale, extra } = options;
  const absent = new Set([
    ...(hasNags ? [] : ["nags"]),
    ...(hasSchedules || backend !== undefined ? [] : ["schedules"]),
    ...(hasEvents ? [] : ["events"]),
    ...(backend === undefined ? ["workspaces"] : []),
  ]);
  const all: readonly Feature[] = [...allFeatures, ...extra];
  const present = all.filter(({ name }) => !absent.has(name));
  return [
    ...present.map((each) => adaptedFeature(each, scale, options)),
    reconcilerFeature(options, process),
  ];
}

const collectEveryMs = 20 * 60_000;

/** The same feature with chores as often as the world needs them, and the health of this machine. */
function adaptedFeature(each: Feature, { pruneEveryMs }: Scale, options: MachineOptions): Feature {
  const everyMs: Readonly<Record<string, number>> = {
    "forget-old": pruneEveryMs,
    "collect-archives": collectEveryMs,
  };
  const retimed = (chore: Chore): Chore => ({
    ...chore,
    everyMs: everyMs[chore.name] ?? chore.everyMs,
  });
  const adapted = (provision: Provision): Provision => {
    const { port, read } = provision;
    if (port === health) return provide(health, () => healthOf(options));
    if (port !== choreRegistry) return provision;
    return { ...provision, read: () => mapDefined(read() as Chore | undefined, retimed) };
  };
  return { ...each, provides: (host) => (each.provides?.(host) ?? []).map(adapted) };
}

function mapDefined<T>(value: T | undefined, change: (value: T) => T): T | undefined {
  return value && change(value);
}

function healthOf({ health: now }: MachineOptions): HealthWatch {
  const nothing = { start: () => Promise.resolve(), stop: () => Promise.resolve() };
  return { ...service(nothing), now: () => ({ ...healthy, health: now() }) };
}

/** A controller whose consequences try every unit. */
function reconcilerFeature(options: MachineOptions, process: VirtualProcess): Feature {
  return feature({
    name: "relays",
    kinds: [],
    operations: {},
    node: (host) => ({
      services: [
        host.run(
          reconciler({
            ...options,
            ...host,
            ids: ids(host.clock, host.random),
            actStarted: (id) => options.actStarted(process, id),
          }),
        ),
      ],
    }),
  });
}

type Parts = Pick<Host, "ledger"> & { clock: VirtualClock; process: VirtualProcess };

/** What the settings and adapters give a real node. */
function provisions(options: MachineOptions, parts: Parts): readonly Provision[] {
  const { kernel, index, scale, observer, service: source } = options;
  const { clock, process } = parts;
  const sourceRandom = kernel.randomFor(4_000_000 + 1_000 * index + process.generation);
  const sources: readonly OwnedSource[] = [
    {
      source: source.source(clock, sourceRandom),
      owner: sourceOwner,
      everyMs: sourcePollMs,
      filter: {},
    },
  ];
  const backend = backendOf(options, process);
  const runners = runnersOf(options, parts);
  return [
    provide(homeOwner, () => owners[0]),
    provide(keepMs, () => scale.retentionMs),
    provide(nodeSilenceMs, () => scale.silenceMs),
    provide(nodeChannels, () => options.channelsFor(process)),
    provide(channelTap, () => (channel) => observedChannel(channel, observer, process)),
    provide(nodeRunners, () => runners),
    provide(routesEvents, () => options.hasEvents),
    provide(eventRules, () => workHandlers),
    provide(eventSources, () => (options.hasEvents ? sources : [])),
    provide(workspaceBackend, () => backend && (() => backend)),
  ];
}

/** What tasks run, drawn from chance of their own. */
function runnersOf(options: MachineOptions, { ledger, clock, process }: Parts): readonly Runner[] {
  const { kernel, index, scale, backend } = options;
  const random = (salt: number) =>
    kernel.randomFor(salt * 1_000_000 + 1_000 * index + process.generation);
  const { stretch } = scale;
  const started: Parameters<typeof scheduleRunner>[0]["started"] = (job) =>
    options.runStarted(process, job);
  return [
    ...(options.hasSchedules
      ? [scheduleRunner({ clock, random: random(1), stretch, started })]
      : []),
    ...(options.hasEvents
      ? [
          handlerRunner({
            clock,
            random: random(2),
            started: ({ id }) => options.taskStarted(process, id, "here"),
            answered: ({ id }, settleReported) => options.taskReported(process, id, settleReported),
          }),
        ]
      : []),
    ...(backend === undefined
      ? []
      : [workspaceRunner({ clock, random: random(3), ledger, process, backend })]),
  ];
}

const pollEveryMs = 60_000;

function backendOf(
  { backend }: MachineOptions,
  process: VirtualProcess,
): WorkspaceBackend | undefined {
  if (backend === undefined) return undefined;
  const { limits, administrator } = backend;
  return {
    machines: backend.machinesFor(process),
    archives: backend.archivesFor(process),
    concurrency: 6,
    settings: () => ({ limits, administrator, pollMs: pollEveryMs }),
    // Only those that were asked for: no task makes one.
    defaults: () => ({
      imageRef: null,
      machine: { memoryMb: 1, cpus: 1, pids: 1 },
      standbyTtlSeconds: 0,
      archiveTtlSeconds: 0,
      wakeAheadSeconds: 0,
    }),
  };
}

function silentLog(clock: VirtualClock) {
  return log({ write: () => undefined, clock, level: "error", format: "json", color: false });
}

function eventBus({ marks, settleReported }: MachineOptions, process: VirtualProcess): Bus<Events> {
  const events = bus<Events>();
  events.listen((event, facts) => {
    marks.reached(event);
    if (event === "record settled" && "id" in facts) settleReported(process, facts.id);
    if (event === "lane parked" && "lane" in facts) marks.reached(`lane parked: ${facts.reason}`);
  });
  return events;
}
