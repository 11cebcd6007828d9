import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Faults } from "./faults.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import type { Machine } from "./machine.ts";
import type { Marks } from "./marks.ts";
import type { Scale } from "./scale.ts";

export interface DisruptionOptions {
  kernel: Kernel;
  faults: Faults;
  marks: Marks;
  machines: readonly [Machine, ...Machine[]];
  /** Moves the store's clock. */
  stepStore(ms: number): void;
  /** Addresses that cannot be reached. */
  downAddresses: Set<string>;
  scale: Scale;
}

const outageMsMax = 5 * 60_000;
/** Only these addresses ever die. */
const failingAddresses = ["a0"] as const;

/** Draws when machines crash, pause and stop, when clocks jump and when destinations die. */
export function scheduleDisruptions(options: DisruptionOptions): void {
  const { kernel, faults, marks, machines } = options;
  const { lengthMs, stretch, disruptionFactor } = options.scale;
  const random = kernel.randomFor(5);
  const repeat = (rate: number, what: string, run: () => void): void => {
    for (let left = Math.round(rate * disruptionFactor); left > 0; left -= 1) {
      kernel.after(intBelow(random, lengthMs), what, run, null);
    }
  };
  const later = (ms: number, what: string, run: () => void): unknown =>
    kernel.after(ms, what, run, null);
  const downMs = (): number => intBelow(random, chance(random, 0.5) ? 2_000 : 60_000 * stretch);

  repeat(faults.crashes, "crash", () => {
    const { crash, start } = pick(random, machines);
    crash();
    later(downMs(), "restart", start);
  });
  repeat(faults.stops, "stop", () => {
    const { stop, start } = pick(random, machines);
    stop();
    later(20_000 + downMs(), "start again", start);
  });
  repeat(faults.pauses, "pause", () => {
    const process = pick(random, machines).process();
    if (process === undefined) return;
    marks.reached("a process was paused");
    kernel.pause(process, 500 + intBelow(random, 60_000 * stretch));
  });
  repeat(faults.clockSteps, "clock step", () => {
    const ms = stepMs(random, 600_000 * Math.min(stretch, 100));
    marks.reached(ms > 0 ? "a node's clock jumped ahead" : "a node's clock jumped back");
    pick(random, machines).clock.step(ms);
  });
  repeat(faults.storeSteps, "store clock step", () => {
    const ms = stepMs(random, 40_000 * Math.min(stretch, 100));
    marks.reached(ms > 0 ? "the store's clock jumped ahead" : "the store's clock jumped back");
    options.stepStore(ms);
  });
  repeat(faults.outages, "store outage", () => {
    faults.storeDown = 1;
    // Everybody asks again every few seconds: a long one would be all there is.
    const outageMs = 500 + Math.min(downMs(), outageMsMax);
    later(outageMs, "store is back", () => (faults.storeDown = 0));
  });
  repeat(faults.laneDeaths, "lane dies", () => {
    const address = pick(random, failingAddresses);
    options.downAddresses.add(address);
    later(5_000 + intBelow(random, 120_000 * stretch), "lane lives", () =>
      options.downAddresses.delete(address),
    );
  });
}

/** What happens to a node while it runs something: in a long world, chance alone would hardly meet a run. */
export function disruptRuns(
  options: Omit<DisruptionOptions, "stepStore">,
): (process: VirtualProcess) => void {
  const { kernel, faults, marks, machines, scale } = options;
  const random = kernel.randomFor(9);
  return (process) => {
    if (!chance(random, (faults.crashes + faults.pauses) / 200)) return;
    const longMs = chance(random, 0.3) ? 3_600_000 : 5_000;
    const run = (): void => {
      const found = machines.find((each) => each.process() === process);
      if (found === undefined) return;
      if (chance(random, faults.crashes / (faults.crashes + faults.pauses))) {
        found.crash();
        kernel.after(intBelow(random, 10 * longMs), "restart", found.start, null);
      } else {
        marks.reached("a process was paused");
        kernel.pause(process, 2 * intBelow(random, scale.leaseMs));
      }
    };
    kernel.after(intBelow(random, longMs), "disturb", run, null);
  };
}

function stepMs(random: Random, max: number): number {
  const size = 100 + intBelow(random, chance(random, 0.5) ? 5_000 : max);
  return chance(random, 0.5) ? size : -size;
}
