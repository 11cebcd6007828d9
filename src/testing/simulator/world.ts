import type { Health } from "../../features/events/health.ts";
import { systemOwner } from "../../features/nodes/node.ts";
import type { Engine, Verb } from "../../kernel/verbs.ts";
import type { Random } from "../../platform/random.ts";
import { intBelow, pick } from "../chance.ts";
import { oracle, type Oracle } from "../oracle/oracle.ts";
import { disruptRuns } from "./disruption.ts";
import { simService, type SimService } from "./event-service.ts";
import { noFaultsButLane, drawFaults, type Faults } from "./faults.ts";
import { faultyChannels, type SendObserver } from "./faulty-channel.ts";
import { faultyStore, type FaultyStore } from "./faulty-store.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import { machine, type Machine } from "./machine.ts";
import type { Marks } from "./marks.ts";
import type { Scale } from "./scale.ts";
import { owners } from "./targets.ts";
import type { Workload } from "./workload.ts";
import { simulatedBackend, type SimulatedBackend } from "./workspace-backend.ts";
import { drawFeatures } from "./world-features.ts";

export interface WorldOptions {
  kernel: Kernel;
  engine: Engine;
  marks: Marks;
  /** The store's clock; `offset` is stepped by faults. */
  clock: { offset: number; now(): number };
  scale: Scale;
  /** Features beside those of the program, and what is done with them. */
  workloads: readonly Workload[];
}

/** Everybody and everything in one virtual world. */
export interface World extends WorldOptions {
  faults: Faults;
  /** Nothing goes wrong but one destination, and nobody wants quiet. */
  isCalm: boolean;
  store: FaultyStore;
  oracle: Oracle;
  machines: readonly [Machine, ...Machine[]];
  /** Addresses that cannot be reached. */
  downAddresses: Set<string>;
  /** Records that were made for each owner, for strangers to try. */
  notificationIds: Map<string, string[]>;
  reconcilerIds: Map<string, string[]>;
  /** Whether there are schedules, and whoever makes them. */
  hasSchedules: boolean;
  busyClients: number;
  schedules: Map<string, string[]>;
  /** The same of nags. */
  hasNags: boolean;
  nags: Map<string, string[]>;
  /** The same of events: names that were told, a service where things happen, and how the nodes are. */
  hasEvents: boolean;
  eventNames: Map<string, string[]>;
  /** Where workspaces live; undefined: there are none. */
  backend: SimulatedBackend | undefined;
  service: SimService;
  health: Health;
  /** How many owners' relays still run. */
  openOwners: number;
  feedsRead: number;
  /** What listeners were shown lately, for other listeners to confirm. */
  shown: { id: string; owner: string }[];
  phase: "disruption" | "recovery" | "shutdown" | "drain";
  /** A rule is broken: the run is over. */
  hasFailed(): boolean;
}

/** One seed in ten is calm but for one destination that hangs: nobody else may feel it. */
const calmOneIn = 10;

/** Before each call. A run that was given up on may still say that its workspace is used. */
function callObserver(
  oracle: Oracle,
  stoppedProcesses: ReadonlySet<VirtualProcess>,
  hasWorkspaces: boolean,
) {
  return (verb: Verb, process: VirtualProcess): void => {
    const isOfRun = hasWorkspaces && (verb === "get" || verb === "edit");
    const isOver = stoppedProcesses.has(process) && !isOfRun;
    if (isOver)
      oracle.reportViolation("a stopped process makes no calls", `${process.name} ${verb}`);
    oracle.beforeCall(verb);
  };
}

export function createWorld(options: WorldOptions): World {
  const { kernel, engine, marks, scale } = options;
  const random = kernel.randomFor(4);
  const isCalm = intBelow(random, calmOneIn) === 0;
  const faults = isCalm ? noFaultsButLane() : drawFaults(random);
  const oracle = createOracle(options, isCalm, () => service.eventNames);
  const backend = simulatedBackend({ ...options, isCalm, oracle });
  const work = { ...drawFeatures(kernel, scale), backend };
  const stopped = new Set<VirtualProcess>();
  const beforeCall = callObserver(oracle, stopped, backend !== undefined);
  const { recordCall } = oracle;
  const store = faultyStore({ kernel, engine, faults, marks, beforeCall, recordCall });
  const isRecovered = (): boolean => base.phase !== "disruption";
  const service = simService(kernel, { ...scale, marks, isRecovered, isEnabled: work.hasEvents });
  const base: Omit<World, "machines"> = {
    ...options,
    ...emptyState(),
    ...work,
    faults,
    isCalm,
    store,
    oracle,
    service,
    downAddresses: new Set(),
    hasFailed() {
      const invariant = "the number of events stays within its limit";
      const { eventsMax } = scale;
      if (kernel.events() > eventsMax) oracle.reportViolation(invariant, `${eventsMax} events`);
      return oracle.violations.length > 0;
    },
  };
  const world: World = Object.assign(base, {
    machines: createMachines(
      base,
      random,
      (process) => {
        if (!isRecovered()) disrupt(process);
      },
      stopped,
    ),
  });
  const disrupt = disruptRuns(world);
  return world;
}

/** The first machine runs in every world. In a long world, runs and sends are disrupted on purpose. */
function createMachines(
  world: Omit<World, "machines">,
  random: Random,
  disrupt: (process: VirtualProcess) => void,
  stopped: Set<VirtualProcess>,
): World["machines"] {
  const { oracle, scale, isCalm, downAddresses } = world;
  const { taskStarted, taskReported, actStarted, settleReported } = oracle;
  const isLong = scale.name !== "minute";
  const observer = observeStarts(oracle.sends, (process) => {
    if (scale.name === "year") disrupt(process);
  });
  const channelsFor = faultyChannels({ ...world, observer, downAddresses, downHangs: isCalm });
  const build = (index: number): Machine =>
    machine({
      ...world,
      name: `node-${index}`,
      index,
      channelsFor,
      health: () => (world.phase === "disruption" ? world.health : "green"),
      observer,
      peers: (owner) => world.reconcilerIds.get(owner) ?? [],
      isStopping: () => world.phase === "shutdown" || world.phase === "drain",
      extra: world.workloads.map(({ feature }) => feature),
      runStarted(process, job) {
        oracle.runStarted(process, job);
        if (isLong) disrupt(process);
      },
      taskStarted,
      taskReported,
      actStarted,
      settleReported,
      stopped: (process) => void stopped.add(process),
    });
  const count = isLong ? 2 : pick(random, [0, 0, 1, 1, 1, 2]);
  return [build(0), ...Array.from({ length: count }, (_, index) => build(index + 1))];
}

function createOracle(
  { kernel, engine, marks, clock, workloads }: WorldOptions,
  isCalm: boolean,
  sourceEvents: () => readonly string[],
): Oracle {
  const times = { now: kernel.now, storeNow: clock.now };
  const everyone = [...owners, systemOwner];
  return oracle({ engine, marks, isCalm, ...times, owners: everyone, sourceEvents, workloads });
}

/** What those in it will fill. */
function emptyState(): Pick<World, EmptyState> {
  return {
    notificationIds: new Map(),
    reconcilerIds: new Map(),
    busyClients: 0,
    schedules: new Map(),
    nags: new Map(),
    eventNames: new Map(),
    health: "green",
    openOwners: owners.length,
    feedsRead: 0,
    shown: [],
    phase: "disruption",
  };
}

type EmptyState =
  | "notificationIds"
  | "reconcilerIds"
  | "busyClients"
  | "schedules"
  | "nags"
  | "eventNames"
  | "health"
  | "openOwners"
  | "feedsRead"
  | "shown"
  | "phase";

/** Tells of each send that begins, too. */
function observeStarts(
  observer: SendObserver,
  actStarted: (process: VirtualProcess) => void,
): SendObserver {
  return {
    ...observer,
    started(message, channel, process) {
      const claim = observer.started(message, channel, process);
      actStarted(process);
      return claim;
    },
  };
}
