import type { Job } from "../../features/tasks/runner.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import type { RunningLimits } from "../../features/workspaces/capacity.ts";
import type { Machines } from "../../features/workspaces/machines.ts";
import { intBelow } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { drawKeepFaults, healKeeping, planKeepFaults } from "./keep-faults.ts";
import type { Kernel, Life } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import type { Scale } from "./scale.ts";
import { simArchives } from "./sim-archives.ts";
import { simEngine } from "./sim-machines.ts";
import { hasWorkspaces } from "./work-in.ts";

/** Where workspaces live: an engine and a storage that all nodes share, and people who work there. */
export interface KeepWorld {
  machinesFor(life: Life): Machines;
  archivesFor(life: Life): Archives;
  readonly limits: RunningLimits;
  readonly administrator: string;
  /** A task begins to run in one. */
  entered(life: Life, job: Job): void;
  isUp(id: string): boolean;
  /** Nothing goes wrong from now on. */
  heal(): void;
}

interface KeepWorldOptions {
  kernel: Kernel;
  marks: Marks;
  scale: Scale;
  isCalm: boolean;
  oracle: Oracle;
}

/** Undefined: there are none in this world. */
export function keepWorld(options: KeepWorldOptions): KeepWorld | undefined {
  const { kernel, marks, scale, isCalm, oracle } = options;
  if (!hasWorkspaces(kernel, scale)) return undefined;
  const random = kernel.randomFor(14);
  const faults = drawKeepFaults(random, isCalm);
  const tap = oracle.keeps;
  const parts = { kernel, random, faults, marks, tap, harmed: tap.harmed };
  const engine = simEngine(parts);
  const storage = simArchives(parts);
  const limits = scale.name === "always" ? { perOwner: 8, inAll: 13 } : { perOwner: 2, inAll: 3 };
  const administrator = "sim:a3";
  oracle.lives({ engine, storage, limits, administrator });
  planKeepFaults({ kernel, faults, scale, die: engine.die, rot: storage.rot });
  let isWrong = true;
  const use = (): void => {
    const used = engine.use();
    if (used !== undefined) tap.used(used.id, used.content);
    if (isWrong) kernel.after(300 + intBelow(random, 4_000), "somebody works in one", use, null);
  };
  kernel.after(1_000, "somebody works in one", use, null);
  return {
    machinesFor: engine.machinesFor,
    archivesFor: storage.archivesFor,
    limits,
    administrator,
    entered: tap.entered,
    isUp: (id) => engine.at(id).machine === "running",
    heal() {
      isWrong = false;
      healKeeping(faults);
    },
  };
}
