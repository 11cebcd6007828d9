import type { Health } from "../../features/events/health.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import type { Listeners } from "../../features/notifications/listeners.ts";
import { nodeListeners } from "../../features/notifications/ports.ts";
import type { Job } from "../../features/tasks/runner.ts";
import type { Feature } from "../../kernel/feature.ts";
import type { Node } from "../../kernel/host.ts";
import { sleep } from "../../platform/clock.ts";
import type { Service } from "../../platform/service.ts";
import type { SimService } from "./event-service.ts";
import type { SendObserver } from "./faulty-channel.ts";
import type { FaultyStore } from "./faulty-store.ts";
import type { TaskResult } from "./handler-runner.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import { simulatedNode } from "./node.ts";
import type { Scale } from "./scale.ts";
import { virtualClock, type VirtualClock } from "./virtual-clock.ts";
import type { SimulatedBackend } from "./workspace-backend.ts";

/** One machine: it runs the real controllers, crashes, starts again, stops, and has a bad clock. */
export interface Machine {
  readonly name: string;
  readonly clock: VirtualClock;
  process(): VirtualProcess | undefined;
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
  channelsFor(process: VirtualProcess): readonly Channel[];
  observer: SendObserver;
  peers(owner: string): readonly string[];
  /** Nobody starts any more. */
  isStopping(): boolean;
  /** An act begins that nothing else would tell of. */
  actStarted(process: VirtualProcess, id: string): void;
  /** Whether it works with schedules, and with nags. */
  hasSchedules: boolean;
  hasNags: boolean;
  /** The same of events. */
  hasEvents: boolean;
  /** Where workspaces live, if there are any. */
  backend: SimulatedBackend | undefined;
  service: SimService;
  health(): Health;
  scale: Scale;
  /** Features beside those of the program. */
  extra: readonly Feature[];
  /** A run begins. */
  runStarted(process: VirtualProcess, job: Job): void;
  /** A task of a handler begins, and what whoever runs it says of it. */
  taskStarted(process: VirtualProcess, id: string, where: "here"): void;
  taskReported(process: VirtualProcess, id: string, settleReported: TaskResult | null): void;
  /** It says that it settled a record. */
  settleReported(process: VirtualProcess, id: string): void;
  /** It stopped as asked: nothing of it may run any more. */
  stopped(process: VirtualProcess): void;
}

export function machine(options: MachineOptions): Machine {
  const { kernel, name, marks } = options;
  const clock = virtualClock(kernel);
  let process: VirtualProcess | undefined;
  let running: Node | undefined;
  let wanted = false;
  let open = false;
  return {
    name,
    clock,
    process: () => process,
    nodeListeners: () => (open ? running?.use(nodeListeners) : undefined),
    start() {
      if (process !== undefined || options.isStopping()) return;
      wanted = true;
      kernel.spawn(name, (born) => {
        process = born;
        running = simulatedNode(options, clock, born);
        const isMine = (): boolean => wanted && process === born;
        void persist(running, clock, isMine).then(() => (open = open || isMine()));
      });
    },
    crash() {
      if (process === undefined) return;
      marks.reached("a process crashed");
      kernel.crash(process);
      process = undefined;
      open = false;
    },
    stop() {
      const [ending, asked] = [process, running];
      if (ending === undefined || asked === undefined) return;
      wanted = false;
      open = false; // faces stop before the node does
      kernel.trace.add(kernel.now(), name, "is asked to stop");
      kernel.within(ending, () => {
        void asked.stop().then(() => {
          marks.reached("a process stopped cleanly");
          options.stopped(ending);
          if (process === ending) process = undefined;
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
