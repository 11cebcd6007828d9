import { type Observation, nothingExists } from "../../features/workspaces/observation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { VirtualProcess } from "./kernel.ts";
import type { LinkOptions } from "./unreliable-link.ts";

/** What there is of one workspace. */
export interface SimWorkspace {
  machine: Observation["machine"];
  volume: SimVolume | null;
}

export interface SimVolume {
  readonly marker: string | null;
  /** All that is in it, as one value. */
  content: string;
  /** It began empty, or was restored to its end. */
  isWhole: boolean;
}

/** Whoever watches hears of everything in the moment in which it takes effect. */
export interface MachineObserver {
  /** Something is done to it: `remove`, `start` … */
  acted(process: VirtualProcess, id: string, what: string): void;
  /** A volume goes, for good. */
  destroyed(process: VirtualProcess, id: string, volume: SimVolume): void;
  /** One that ran does not run any more. */
  ended(id: string): void;
  /** A machine is ready, on this content. */
  ran(id: string, volume: SimVolume): void;
}

export type EngineOptions = Omit<LinkOptions, "name" | "isAway"> & { observer: MachineObserver };
type Observations = ReadonlyMap<string, Observation>;

/** All that the engine has, and how it changes. */
export interface EngineState {
  of(id: string): SimWorkspace;
  listed(): Observations;
  /** As it was at some time in the last seconds. */
  recentLists(): readonly Observations[];
  running(): readonly (readonly [string, SimWorkspace])[];
  /** Before anything changes by itself: a list may still show it. */
  recordList(): void;
  /** Somebody changes something. */
  change(process: VirtualProcess, id: string, what: string): SimWorkspace;
  start(process: VirtualProcess, id: string, readyMs: number): void;
  /** Throws while a machine has it. */
  volumeOf(id: string): SimVolume | null;
  removeVolume(process: VirtualProcess, id: string): void;
}

const listsKeptMs = 5_000;

export function engineState({ kernel, observer }: EngineOptions): EngineState {
  const all = new Map<string, SimWorkspace>();
  const lists: { at: number; list: Observations }[] = [];
  const home = kernel.spawn("engine itself", () => undefined);
  const of = (id: string): SimWorkspace => {
    const known = all.get(id);
    if (known !== undefined) return known;
    const made: SimWorkspace = { machine: null, volume: null };
    all.set(id, made);
    return made;
  };
  const listed = (): Observations =>
    new Map([...all].filter(exists).map(([id, each]) => [id, observationOf(each)]));
  const recordList = (): void => {
    lists.push({ at: kernel.now(), list: listed() });
    while ((lists[0]?.at ?? Infinity) < kernel.now() - listsKeptMs) lists.shift();
  };
  const change = (process: VirtualProcess, id: string, what: string): SimWorkspace => {
    recordList();
    observer.acted(process, id, what);
    return of(id);
  };
  const volumeOf = (id: string): SimVolume | null => {
    const { machine, volume } = of(id);
    if (machine !== null) throw new DaybookError("busy", "A machine has the volume.");
    return volume;
  };
  return {
    of,
    listed,
    recordList,
    change,
    volumeOf,
    recentLists: () => lists.map(({ list }) => list),
    running: () => [...all].filter(([, each]) => each.machine === "running"),
    start(process, id, readyMs) {
      const kept = of(id);
      const { volume } = kept;
      if (volume === null) throw refused("There is no volume to run on.");
      if (kept.machine === "running") return;
      change(process, id, "start");
      kept.machine = "starting";
      const ready = (): void => {
        if (kept.machine !== "starting" || kept.volume !== volume) return;
        recordList();
        kept.machine = "running";
        observer.ran(id, volume);
      };
      kernel.after(readyMs, "a machine is ready", ready, home);
    },
    removeVolume(process, id) {
      const volume = volumeOf(id);
      if (volume === null) return;
      const kept = change(process, id, "remove the volume");
      observer.destroyed(process, id, volume);
      kept.volume = null;
    },
  };
}

function exists([, { machine, volume }]: readonly [string, SimWorkspace]): boolean {
  return machine !== null || volume !== null;
}

export function observationOf({ machine, volume }: SimWorkspace): Observation {
  if (machine === null && volume === null) return nothingExists;
  return { machine, volume: volume === null ? null : { marker: volume.marker } };
}

export function refused(sentence: string): DaybookError {
  return new DaybookError("refused", sentence);
}
