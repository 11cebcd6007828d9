import type { Health } from "../../features/events/health.ts";
import { systemOwner } from "../../features/nodes/node.ts";
import type { Engine, Verb } from "../../kernel/verbs.ts";
import { intBelow, pick } from "../chance.ts";
import { oracle, type Oracle } from "../oracle/oracle.ts";
import { disturb } from "./disruption.ts";
import { calm, drawFaults, type Faults } from "./faults.ts";
import { faultyChannels, type SendTap } from "./faulty-channel.ts";
import { faultyStore, type FaultyStore } from "./faulty-store.ts";
import { keepWorld, type KeepWorld } from "./keep-world.ts";
import type { Kernel, Life } from "./kernel.ts";
import { machine, type Machine } from "./machine.ts";
import type { Marks } from "./marks.ts";
import type { Scale } from "./scale.ts";
import { simService, type SimService } from "./service.ts";
import { owners } from "./targets.ts";
import { workIn } from "./work-in.ts";
import type { Workload } from "./workload.ts";

export interface CastOptions {
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
export interface Cast extends CastOptions {
  faults: Faults;
  /** Nothing goes wrong but one destination, and nobody wants quiet. */
  isCalm: boolean;
  store: FaultyStore;
  oracle: Oracle;
  machines: readonly [Machine, ...Machine[]];
  /** Addresses that cannot be reached. */
  dead: Set<string>;
  /** Records that were made for each owner, for strangers to try. */
  known: Map<string, string[]>;
  relays: Map<string, string[]>;
  /** Whether there are schedules, and whoever makes them. */
  hasSchedules: boolean;
  plannersBusy: number;
  schedules: Map<string, string[]>;
  /** The same of nags. */
  hasNags: boolean;
  nags: Map<string, string[]>;
  /** The same of events: names that were told, a service where things happen, and how the nodes are. */
  hasEvents: boolean;
  told: Map<string, string[]>;
  /** Where workspaces live; undefined: there are none. */
  keep: KeepWorld | undefined;
  service: SimService;
  health: Health;
  /** How many owners' relays still run. */
  relaysLeft: number;
  feedsDone: number;
  /** What listeners were shown lately, for other listeners to confirm. */
  shown: { id: string; owner: string }[];
  phase: "wrong" | "healed" | "closing" | "quiet";
  /** A rule is broken: the run is over. */
  over(): boolean;
}

/** One seed in ten is calm but for one destination that hangs: nobody else may feel it. */
const calmOneIn = 10;

/** Before each call. A run that was given up on may still say that its workspace is used. */
function heedStops(oracle: Oracle, stopped: ReadonlySet<Life>, hasWorkspaces: boolean) {
  return (verb: Verb, life: Life): void => {
    const isOfRun = hasWorkspaces && (verb === "get" || verb === "edit");
    const isOver = stopped.has(life) && !isOfRun;
    if (isOver) oracle.blame("what has stopped does nothing", `${life.name} ${verb}`);
    oracle.about(verb);
  };
}

export function castOf(options: CastOptions): Cast {
  const { kernel, engine, marks, scale, workloads } = options;
  const isLong = scale.name !== "minute";
  const random = kernel.randomFor(4);
  const isCalm = intBelow(random, calmOneIn) === 0;
  const faults = isCalm ? calm() : drawFaults(random);
  const watching = watchOf(options, isCalm, () => service.happened);
  const keep = keepWorld({ ...options, isCalm, oracle: watching });
  const work = { ...workIn(kernel, scale), keep };
  const stopped = new Set<Life>();
  const dead = new Set<string>();
  const about = heedStops(watching, stopped, keep !== undefined);
  const { witness, worked, workedOut, began, said } = watching;
  const tap = noticed(watching.sends, (life) => {
    if (scale.name === "year" && cast.phase === "wrong") disturbed(life);
  });
  const store = faultyStore({ kernel, engine, faults, marks, about, witness });
  const isWell = (): boolean => cast.phase !== "wrong";
  const service = simService(kernel, { ...scale, marks, isWell, isOpen: work.hasEvents });
  const channelsFor = faultyChannels({ kernel, faults, marks, tap, dead, deadHangs: isCalm });
  const cast: Omit<Cast, "machines"> = {
    ...options,
    ...nothingYet(),
    ...work,
    faults,
    isCalm,
    store,
    oracle: watching,
    service,
    dead,
    over() {
      const { eventsMax } = scale;
      if (kernel.events() > eventsMax) watching.blame("nobody spins", `${eventsMax} events`);
      return watching.violations.length > 0;
    },
  };
  const build = (index: number): Machine =>
    machine({
      name: `node-${index}`,
      index,
      kernel,
      marks,
      store,
      channelsFor,
      service,
      health: () => (isWell() ? "green" : cast.health),
      tap,
      peers: (owner) => cast.relays.get(owner) ?? [],
      closing: () => cast.phase === "closing" || cast.phase === "quiet",
      ...work,
      scale,
      extra: workloads.map(({ feature }) => feature),
      ran(life, job) {
        watching.ran(life, job);
        if (isLong && cast.phase === "wrong") disturbed(life);
      },
      worked,
      workedOut,
      began,
      said,
      stopped: (life) => void stopped.add(life),
    });
  const machines: [Machine, ...Machine[]] = [build(0)];
  const more = isLong ? 2 : pick(random, [0, 0, 1, 1, 1, 2]);
  for (let index = 1; index <= more; index += 1) machines.push(build(index));
  const disturbed = disturb({ ...cast, machines });
  return Object.assign(cast, { machines });
}

function watchOf(
  { kernel, engine, marks, clock, workloads }: CastOptions,
  isCalm: boolean,
  happened: () => readonly string[],
): Oracle {
  const times = { now: kernel.now, storeNow: clock.now };
  const everyone = [...owners, systemOwner];
  return oracle({ engine, marks, isCalm, ...times, owners: everyone, happened, workloads });
}

/** What those in it will fill. */
function nothingYet(): Pick<Cast, Filled> {
  return {
    known: new Map(),
    relays: new Map(),
    plannersBusy: 0,
    schedules: new Map(),
    nags: new Map(),
    told: new Map(),
    health: "green",
    relaysLeft: owners.length,
    feedsDone: 0,
    shown: [],
    phase: "wrong",
  };
}

type Filled =
  | "known"
  | "relays"
  | "plannersBusy"
  | "schedules"
  | "nags"
  | "told"
  | "health"
  | "relaysLeft"
  | "feedsDone"
  | "shown"
  | "phase";

/** Tells of each send that begins, too. */
function noticed(tap: SendTap, began: (life: Life) => void): SendTap {
  return {
    ...tap,
    started(message, channel, life) {
      const claim = tap.started(message, channel, life);
      began(life);
      return claim;
    },
  };
}
