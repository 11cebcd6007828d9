import type { Job } from "../../features/tasks/runner.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import type { RunningLimits } from "../../features/workspaces/capacity.ts";
import type { Machines } from "../../features/workspaces/machines.ts";
import { intBelow } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import type { Marks } from "./marks.ts";
import type { Scale } from "./scale.ts";
import { simulatedEngine } from "./simulated-engine.ts";
import { simulatedStorage } from "./simulated-storage.ts";
import {
  drawWorkspaceFaults,
  clearWorkspaceFaults,
  planWorkspaceFaults,
} from "./workspace-faults.ts";
import { hasWorkspaces } from "./world-features.ts";

/** Where workspaces live: an engine and a storage that all nodes share, and people who work there. */
export interface SimulatedBackend {
  machinesFor(process: VirtualProcess): Machines;
  archivesFor(process: VirtualProcess): Archives;
  readonly limits: RunningLimits;
  readonly administrator: string;
  /** A task begins to run in one. */
  entered(process: VirtualProcess, job: Job): void;
  isUp(id: string): boolean;
  /** Nothing goes wrong from now on. */
  endFaults(): void;
}

interface BackendOptions {
  kernel: Kernel;
  marks: Marks;
  scale: Scale;
  isCalm: boolean;
  oracle: Oracle;
}

/** Undefined: there are none in this world. */
export function simulatedBackend(options: BackendOptions): SimulatedBackend | undefined {
  const { kernel, marks, scale, isCalm, oracle } = options;
  if (!hasWorkspaces(kernel, scale)) return undefined;
  const random = kernel.randomFor(14);
  const faults = drawWorkspaceFaults(random, isCalm);
  const observer = oracle.workspaces;
  const parts = { kernel, random, faults, marks, observer, faulted: observer.faulted };
  const engine = simulatedEngine(parts);
  const storage = simulatedStorage(parts);
  const limits =
    scale.name === "workspaces" ? { perOwner: 8, inAll: 13 } : { perOwner: 2, inAll: 3 };
  const administrator = "sim:a3";
  oracle.attachBackend({ engine, storage, limits, administrator });
  planWorkspaceFaults({
    kernel,
    faults,
    scale,
    failMachine: engine.failMachine,
    bitRot: storage.bitRot,
  });
  let isWrong = true;
  const useWorkspace = (): void => {
    const used = engine.use();
    if (used !== undefined) observer.used(used.id, used.content);
    if (isWrong)
      kernel.after(300 + intBelow(random, 4_000), "somebody works in one", useWorkspace, null);
  };
  kernel.after(1_000, "somebody works in one", useWorkspace, null);
  return {
    machinesFor: engine.machinesFor,
    archivesFor: storage.archivesFor,
    limits,
    administrator,
    entered: observer.entered,
    isUp: (id) => engine.at(id).machine === "running",
    endFaults() {
      isWrong = false;
      clearWorkspaceFaults(faults);
    },
  };
}
