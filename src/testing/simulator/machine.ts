import type { Health } from "../../features/events/health.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import type { Listeners } from "../../features/notifications/listeners.ts";
import { nodeListeners } from "../../features/notifications/ports.ts";
import type { Job } from "../../features/tasks/runner.ts";
import type { Feature } from "../../kernel/feature.ts";
import type { Node } from "../../kernel/host.ts";
import { sleep } from "../../platform/clock.ts";
import type { Service } from "../../platform/service.ts";
import type { SendTap } from "./faulty-channel.ts";
import type { FaultyStore } from "./faulty-store.ts";
import type { KeepWorld } from "./keep-world.ts";
import type { Kernel, Life } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import { simulatedNode } from "./node.ts";
import type { Scale } from "./scale.ts";
import type { SimService } from "./service.ts";
import { virtualClock, type VirtualClock } from "./virtual-clock.ts";
import type { Said } from "./work-runner.ts";

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
  /** Features beside those of the program. */
  extra: readonly Feature[];
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
    nodeListeners: () => (open ? running?.use(nodeListeners) : undefined),
    start() {
      if (life !== undefined || options.closing()) return;
      wanted = true;
      kernel.spawn(name, (born) => {
        life = born;
        running = simulatedNode(options, clock, born);
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
