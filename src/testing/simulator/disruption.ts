import { chance, intBelow, pick, type Random } from "../../base/random.ts";
import type { Faults } from "./faults.ts";
import type { Kernel } from "./kernel.ts";
import type { Machine } from "./machine.ts";
import type { Marks } from "./marks.ts";

export interface DisruptionOptions {
  kernel: Kernel;
  faults: Faults;
  marks: Marks;
  machines: readonly [Machine, ...Machine[]];
  /** Moves the store's clock. */
  stepStore(ms: number): void;
  /** Addresses that cannot be reached. */
  dead: Set<string>;
  lengthMs: number;
}

/** Only these addresses ever die. */
const mortal = ["a0"] as const;

/** Draws when machines crash, pause and stop, when clocks jump and when destinations die. */
export function plan(options: DisruptionOptions): void {
  const { kernel, faults, marks, machines } = options;
  const random = kernel.randomFor(5);
  const often = (rate: number, what: string, run: () => void): void => {
    for (let left = Math.round(rate); left > 0; left -= 1) {
      kernel.after(intBelow(random, options.lengthMs), what, run, null);
    }
  };
  const later = (ms: number, what: string, run: () => void): unknown =>
    kernel.after(ms, what, run, null);
  const downMs = (): number => intBelow(random, chance(random, 0.5) ? 2_000 : 60_000);

  often(faults.crashes, "crash", () => {
    const { crash, start } = pick(random, machines);
    crash();
    later(downMs(), "restart", start);
  });
  often(faults.stops, "stop", () => {
    const { stop, start } = pick(random, machines);
    stop();
    later(20_000 + downMs(), "start again", start);
  });
  often(faults.pauses, "pause", () => {
    const life = pick(random, machines).life();
    if (life === undefined) return;
    marks.reached("pause");
    kernel.pause(life, 500 + intBelow(random, 60_000));
  });
  often(faults.clockSteps, "clock step", () => {
    const ms = stepMs(random, 600_000);
    marks.reached(ms > 0 ? "a node's clock jumped ahead" : "a node's clock jumped back");
    pick(random, machines).clock.step(ms);
  });
  often(faults.storeSteps, "store clock step", () => {
    const ms = stepMs(random, 40_000);
    marks.reached(ms > 0 ? "the store's clock jumped ahead" : "the store's clock jumped back");
    options.stepStore(ms);
  });
  often(faults.outages, "store outage", () => {
    faults.storeDown = 1;
    later(500 + downMs(), "store is back", () => (faults.storeDown = 0));
  });
  often(faults.laneDeaths, "lane dies", () => {
    const address = pick(random, mortal);
    options.dead.add(address);
    later(5_000 + intBelow(random, 120_000), "lane lives", () => options.dead.delete(address));
  });
}

function stepMs(random: Random, max: number): number {
  const size = 100 + intBelow(random, chance(random, 0.5) ? 5_000 : max);
  return chance(random, 0.5) ? size : -size;
}
