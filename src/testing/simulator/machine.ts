import { plainProfile, readProfile } from "../../features/accounts/profile.ts";
import { router, type RouterSettings } from "../../features/events/controller.ts";
import type { Health } from "../../features/events/health.ts";
import { questions } from "../../features/events/question-controller.ts";
import { sourceController } from "../../features/events/source-controller.ts";
import { workerEnd, workerWatch } from "../../features/events/workers.ts";
import { nagController } from "../../features/nags/controller.ts";
import { chores, forgetOld, planChores } from "../../features/nodes/chore.ts";
import { nodeController } from "../../features/nodes/controller.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { deliverer } from "../../features/notifications/controller.ts";
import { numbers } from "../../features/notifications/counter.ts";
import { downtime } from "../../features/notifications/downtime.ts";
import { expirer } from "../../features/notifications/expiry.ts";
import { socketQueue } from "../../features/notifications/kind.ts";
import {
  listenerChannels,
  listenerLanes,
  type Listeners,
} from "../../features/notifications/listeners.ts";
import { scheduler } from "../../features/schedules/controller.ts";
import { taskController, type TasksOptions } from "../../features/tasks/controller.ts";
import type { Job } from "../../features/tasks/runner.ts";
import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { RuntimePorts } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { runController } from "../../kernel/runtime.ts";
import { cached } from "../../platform/cached.ts";
import { sleep } from "../../platform/clock.ts";
import { bus, type Bus } from "../../platform/event-bus.ts";
import { ids } from "../../platform/ids.ts";
import { group, service, type Service } from "../../platform/service.ts";
import { runHooks } from "../run-hooks.ts";
import { fakeRunner } from "./fake-runner.ts";
import { tapped, type SendTap } from "./faulty-channel.ts";
import type { FaultyStore } from "./faulty-store.ts";
import { keepChores, keepServices } from "./keep-parts.ts";
import type { KeepWorld } from "./keep-world.ts";
import { lifeName, type Kernel, type Life } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import { outsideName, routerSettings } from "./pipeline.ts";
import { relay } from "./relay.ts";
import type { Scale } from "./scale.ts";
import type { SimService } from "./service.ts";
import { owners } from "./targets.ts";
import { virtualClock, type VirtualClock } from "./virtual-clock.ts";
import { workRunner, type Said } from "./work-runner.ts";

/** One machine: it runs the real controllers, crashes, starts again, stops, and has a bad clock. */
export interface Machine {
  readonly name: string;
  readonly clock: VirtualClock;
  life(): Life | undefined;
  /** Where listeners attach; undefined while it does not run, or is about to stop. */
  nodeListeners(): Listeners | undefined;
  start(): void;
  crash(): void;
  /** Asks it to stop; it starts again only when told. */
  stop(): void;
}

export interface MachineOptions {
  name: string;
  index: number;
  kernel: Kernel;
  marks: Marks;
  store: FaultyStore;
  channelsFor(life: Life): readonly Channel[];
  tap: SendTap;
  peers(owner: string): readonly string[];
  /** Nobody starts any more. */
  closing(): boolean;
  /** An act begins that nothing else would tell of. */
  began(life: Life, id: string): void;
  /** Whether it works with schedules, and with nags. */
  hasSchedules: boolean;
  hasNags: boolean;
  /** The same of events. */
  hasEvents: boolean;
  /** Where workspaces live, if there are any. */
  keep: KeepWorld | undefined;
  service: SimService;
  health(): Health;
  scale: Scale;
  /** A run begins. */
  ran(life: Life, job: Job): void;
  /** A task of a handler begins, and what whoever runs it says of it. */
  worked(life: Life, id: string, where: "here"): void;
  workedOut(life: Life, id: string, said: Said | null): void;
  /** It says that it settled a record. */
  said(life: Life, id: string): void;
  /** It stopped as asked: nothing of it may run any more. */
  stopped(life: Life): void;
}

export function machine(options: MachineOptions): Machine {
  const { kernel, name, marks } = options;
  const clock = virtualClock(kernel);
  let life: Life | undefined;
  let running: Node | undefined;
  let wanted = false;
  let open = false;
  return {
    name,
    clock,
    life: () => life,
    nodeListeners: () => (open ? running?.nodeListeners : undefined),
    start() {
      if (life !== undefined || options.closing()) return;
      wanted = true;
      kernel.spawn(name, (born) => {
        life = born;
        running = parts(options, clock, born);
        const isMine = (): boolean => wanted && life === born;
        void persist(running, clock, isMine).then(() => (open = open || isMine()));
      });
    },
    crash() {
      if (life === undefined) return;
      marks.reached("crash");
      kernel.crash(life);
      life = undefined;
      open = false;
    },
    stop() {
      const [ending, asked] = [life, running];
      if (ending === undefined || asked === undefined) return;
      wanted = false;
      open = false; // faces stop before the node does
      kernel.trace.add(kernel.now(), name, "is asked to stop");
      kernel.within(ending, () => {
        void asked.stop().then(() => {
          marks.reached("stopped cleanly");
          options.stopped(ending);
          if (life === ending) life = undefined;
        });
      });
    },
  };
}

/** A store that is busy at the start is no reason to give up. */
async function persist(
  running: Service,
  clock: VirtualClock,
  wanted: () => boolean,
): Promise<void> {
  for (let started = false; !started && wanted();) {
    started = await running.start().then(
      () => true,
      () => false,
    );
    if (!started) await sleep(clock, 500);
  }
}

interface Node extends Service {
  readonly nodeListeners: Listeners;
}

/** What compose.ts puts together for a node, and a relay beside it. */
function parts(options: MachineOptions, clock: VirtualClock, life: Life): Node {
  const { kernel, store, index, scale } = options;
  const { leaseMs, pollMs, silenceMs, forgetMs, forgetAfterMs } = scale;
  const name = lifeName(life);
  const random = kernel.randomFor(1_000 * (index + 1) + life.generation);
  const ledger = ledgerOver(store.transport(life));
  const events = heard(options, life);
  const ports: RuntimePorts = { work: ledger.work, clock, random, events };
  const holder = { holder: name, leaseMs, pollMs };
  const self = { name, version: "0", host: "virtual", pid: life.generation };
  const known = [
    { ...forgetOld(ledger, () => forgetAfterMs), everyMs: forgetMs },
    ...keepChores({ ledger, life }, options.keep),
  ];
  const plan = service({ start: () => planChores(ledger, known), stop: () => Promise.resolve() });
  const began = (id: string): void => options.began(life, id);
  const relaying = relay({ ...options, clock, random, ids: ids(clock, random), began });
  const profile = cached(clock, 1_000, (owner: string) =>
    readProfile(ledger, owner, () => plainProfile),
  );
  const gap = downtime({ ...ports, ledger, silenceMs, profile });
  const saying = { clock, ledger, profile, saw: gap.saw };
  const listeners = listenerChannels(() => clock.wall());
  const channels = listeners.channels.map((channel) => tapped(channel, options.tap, life));
  const toSockets = { ...deliverer({ ...saying, channels }), queue: socketQueue };
  const nodeListeners = listenerLanes(listeners.sockets, (lane) =>
    runController(toSockets, ports, { ...holder, lane, concurrency: 4 }),
  );
  const running = group([
    plan,
    gap,
    nodeController(ledger, ports, { ...holder, self, silenceMs }),
    runController(chores(known), ports, { ...holder, concurrency: 4 }),
    runController(
      deliverer({ ...saying, channels: [...options.channelsFor(life), ...channels] }),
      ports,
      {
        ...holder,
        ...small,
      },
    ),
    runController(expirer(ledger), ports, { ...holder, concurrency: 4 }),
    runController(relaying, ports, { ...holder, concurrency: 4 }),
    ...(options.hasNags
      ? [runController(nagController({ ledger, profile }), ports, { ...holder, concurrency: 4 })]
      : []),
    ...(options.hasSchedules ? again(options, { ledger, ports, profile }, life) : []),
    ...keeping(options, { ledger, ports, profile }, life),
    ...(options.hasEvents ? when(options, { ledger, ports, profile }, life) : []),
    service({ start: () => Promise.resolve(), stop: () => nodeListeners.stop() }),
  ]);
  return { ...running, nodeListeners };
}

interface Shared {
  ledger: Ledger;
  ports: RuntimePorts;
  profile: TasksOptions["profile"];
}

/** What schedules need. */
function again(
  { kernel, index, ran, scale }: MachineOptions,
  shared: Shared,
  life: Life,
): readonly Service[] {
  const { ports } = shared;
  const { clock } = ports;
  const random = kernel.randomFor(1_000_000 + 1_000 * index + life.generation);
  const { leaseMs, pollMs, stretch } = scale;
  const runner = fakeRunner({ clock, random, stretch, started: (job) => ran(life, job) });
  const holder = { holder: lifeName(life), leaseMs, pollMs };
  const hooks = runHooks(shared);
  return [
    runController(scheduler(shared), ports, { ...holder, concurrency: 4 }),
    runController(taskController(runner, { ...shared, clock, hooks }), ports, {
      ...holder,
      concurrency: 4,
    }),
  ];
}

/** What workspaces need. */
function keeping(options: MachineOptions, shared: Shared, life: Life): readonly Service[] {
  const { keep: world, scale, hasSchedules, kernel, index } = options;
  if (world === undefined) return [];
  const random = kernel.randomFor(3_000_000 + 1_000 * index + life.generation);
  const ports = { ...shared.ports, random };
  return keepServices({ ...shared, ports, life, world, scale, needsScheduler: !hasSchedules });
}

/** What events need. */
function when(options: MachineOptions, shared: Shared, life: Life): readonly Service[] {
  const { ports, ledger, profile } = shared;
  const { clock } = ports;
  const random = options.kernel.randomFor(2_000_000 + 1_000 * options.index + life.generation);
  const { leaseMs, pollMs } = options.scale;
  const runner = workRunner({
    clock,
    random,
    started: ({ id }) => options.worked(life, id, "here"),
    answered: ({ id }, said) => options.workedOut(life, id, said),
  });
  const given = { ...shared, numbers: numbers(ledger) };
  const settings = (): RouterSettings => routerSettings(options.health());
  const source = options.service.source(clock, random);
  const holder = { holder: lifeName(life), leaseMs, pollMs, concurrency: 4 };
  const hooks = runHooks(given);
  const ends = workerEnd({ ...given, clock, random, hooks });
  const handlers = (): string[] => [outsideName];
  return [
    workerWatch({ ledger, clock, events: ports.events, handlers, ends }),
    runController(router({ ...given, settings }), ports, holder),
    runController(taskController(runner, { ...given, clock, hooks }), ports, holder),
    runController(questions({ profile, numbers: given.numbers }), ports, holder),
    runController(sourceController(source, { clock, home: owners[0] }), ports, holder),
  ];
}

/** Small enough that shares and limits are met. */
const small = { concurrency: 6, laneShare: 3 };

function heard({ marks, said }: MachineOptions, life: Life): Bus<Events> {
  const events = bus<Events>();
  events.listen((event, facts) => {
    marks.reached(event);
    if (event === "record settled" && "id" in facts) said(life, facts.id);
    if (event === "lane parked" && "lane" in facts) marks.reached(`lane parked: ${facts.reason}`);
  });
  return events;
}
