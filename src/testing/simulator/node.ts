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
import { fakeRunner } from "./fake-runner.ts";
import { tapped } from "./faulty-channel.ts";
import { lifeName, type Life } from "./kernel.ts";
import type { MachineOptions } from "./machine.ts";
import { workHandlers } from "./pipeline.ts";
import { placeRunner } from "./place-runner.ts";
import { relay } from "./relay.ts";
import type { Scale } from "./scale.ts";
import { askedEveryMs, sourceOwner } from "./service.ts";
import { owners } from "./targets.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import { workRunner } from "./work-runner.ts";

/** The node of one machine: what the program composes, over a store, channels and machines that fail. */
export function simulatedNode(options: MachineOptions, clock: VirtualClock, life: Life): Node {
  const { kernel, store, index, scale } = options;
  const random = kernel.randomFor(1_000 * (index + 1) + life.generation);
  const ledger = ledgerOver(store.transport(life));
  const features = featuresOf(options, life);
  const host = hostOf(features, {
    ledger,
    clock,
    random,
    log: silent(clock),
    events: observed(options, life),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.bits() & 0xff),
    provisions: provisions(options, { ledger, clock, life }),
  });
  const { leaseMs, pollMs } = scale;
  const self = { name: lifeName(life), version: "0", host: "virtual", pid: life.generation };
  return nodeOf(features, host, { self, leaseMs, pollMs, tune });
}

/** Small enough that shares and limits are met. */
function tune<Options>(controller: string, runtime: Options): Options {
  if (controller === "deliverer") return { ...runtime, concurrency: 6, laneShare: 3 };
  if (controller === "workspaces") return { ...runtime, concurrency: 60 };
  return { ...runtime, concurrency: controller === "tasks workspace" ? 8 : 4 };
}

/** Those of this world, in their order; the relay comes last. */
function featuresOf(options: MachineOptions, life: Life): readonly Feature[] {
  const { hasNags, hasSchedules, hasEvents, keep, scale, extra } = options;
  const absent = new Set([
    ...(hasNags ? [] : ["nags"]),
    ...(hasSchedules || keep !== undefined ? [] : ["schedules"]),
    ...(hasEvents ? [] : ["events"]),
    ...(keep === undefined ? ["workspaces"] : []),
  ]);
  const all: readonly Feature[] = [...allFeatures, ...extra];
  const present = all.filter(({ name }) => !absent.has(name));
  return [...present.map((each) => quickened(each, scale, options)), relays(options, life)];
}

const collectEveryMs = 20 * 60_000;

/** The same feature with chores as often as the world needs them, and the health of this machine. */
function quickened(each: Feature, { forgetMs }: Scale, options: MachineOptions): Feature {
  const everyMs: Readonly<Record<string, number>> = {
    "forget-old": forgetMs,
    "collect-archives": collectEveryMs,
  };
  const quicker = (chore: Chore): Chore => ({
    ...chore,
    everyMs: everyMs[chore.name] ?? chore.everyMs,
  });
  const adapted = (provision: Provision): Provision => {
    const { port, read } = provision;
    if (port === health) return provide(health, () => healthOf(options));
    if (port !== choreRegistry) return provision;
    return { ...provision, read: () => maybe(read() as Chore | undefined, quicker) };
  };
  return { ...each, provides: (host) => (each.provides?.(host) ?? []).map(adapted) };
}

function maybe<T>(value: T | undefined, change: (value: T) => T): T | undefined {
  return value && change(value);
}

function healthOf({ health: now }: MachineOptions): HealthWatch {
  const nothing = { start: () => Promise.resolve(), stop: () => Promise.resolve() };
  return { ...service(nothing), now: () => ({ ...healthy, health: now() }) };
}

/** A controller whose consequences try every unit. */
function relays(options: MachineOptions, life: Life): Feature {
  return feature({
    name: "relays",
    kinds: [],
    operations: {},
    node: (host) => ({
      services: [
        host.run(
          relay({
            ...options,
            ...host,
            ids: ids(host.clock, host.random),
            began: (id) => options.began(life, id),
          }),
        ),
      ],
    }),
  });
}

type Parts = Pick<Host, "ledger"> & { clock: VirtualClock; life: Life };

/** What the settings and adapters give a real node. */
function provisions(options: MachineOptions, parts: Parts): readonly Provision[] {
  const { kernel, index, scale, tap, service: source } = options;
  const { clock, life } = parts;
  const sourceRandom = kernel.randomFor(4_000_000 + 1_000 * index + life.generation);
  const sources: readonly OwnedSource[] = [
    {
      source: source.source(clock, sourceRandom),
      owner: sourceOwner,
      everyMs: askedEveryMs,
      filter: {},
    },
  ];
  const backend = backendOf(options, life);
  const runners = runnersOf(options, parts);
  return [
    provide(homeOwner, () => owners[0]),
    provide(keepMs, () => scale.forgetAfterMs),
    provide(nodeSilenceMs, () => scale.silenceMs),
    provide(nodeChannels, () => options.channelsFor(life)),
    provide(channelTap, () => (channel) => tapped(channel, tap, life)),
    provide(nodeRunners, () => runners),
    provide(routesEvents, () => options.hasEvents),
    provide(eventRules, () => workHandlers),
    provide(eventSources, () => (options.hasEvents ? sources : [])),
    provide(workspaceBackend, () => backend && (() => backend)),
  ];
}

/** What tasks run, drawn from chance of their own. */
function runnersOf(options: MachineOptions, { ledger, clock, life }: Parts): readonly Runner[] {
  const { kernel, index, scale, keep } = options;
  const random = (salt: number) =>
    kernel.randomFor(salt * 1_000_000 + 1_000 * index + life.generation);
  const { stretch } = scale;
  const started: Parameters<typeof fakeRunner>[0]["started"] = (job) => options.ran(life, job);
  return [
    ...(options.hasSchedules ? [fakeRunner({ clock, random: random(1), stretch, started })] : []),
    ...(options.hasEvents
      ? [
          workRunner({
            clock,
            random: random(2),
            started: ({ id }) => options.worked(life, id, "here"),
            answered: ({ id }, said) => options.workedOut(life, id, said),
          }),
        ]
      : []),
    ...(keep === undefined
      ? []
      : [placeRunner({ clock, random: random(3), ledger, life, world: keep })]),
  ];
}

const lookEveryMs = 60_000;

function backendOf({ keep }: MachineOptions, life: Life): WorkspaceBackend | undefined {
  if (keep === undefined) return undefined;
  const { limits, administrator } = keep;
  return {
    machines: keep.machinesFor(life),
    archives: keep.archivesFor(life),
    concurrency: 6,
    settings: () => ({ limits, administrator, pollMs: lookEveryMs }),
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

function silent(clock: VirtualClock) {
  return log({ write: () => undefined, clock, level: "error", format: "json", color: false });
}

function observed({ marks, said }: MachineOptions, life: Life): Bus<Events> {
  const events = bus<Events>();
  events.listen((event, facts) => {
    marks.reached(event);
    if (event === "record settled" && "id" in facts) said(life, facts.id);
    if (event === "lane parked" && "lane" in facts) marks.reached(`lane parked: ${facts.reason}`);
  });
  return events;
}
