import { type Observation, nothingExists } from "../../features/workspaces/observation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { LineOptions } from "./keep-line.ts";
import type { Life } from "./kernel.ts";

/** What there is of one workspace. */
export interface KeptThere {
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
export interface MachinesTap {
  /** Something is done to it: `remove`, `start` … */
  acted(life: Life, id: string, what: string): void;
  /** A volume goes, for good. */
  destroyed(life: Life, id: string, volume: SimVolume): void;
  /** One that ran does not run any more. */
  ended(id: string): void;
  /** A machine is ready, on this content. */
  ran(id: string, volume: SimVolume): void;
}

export type EngineOptions = Omit<LineOptions, "name" | "isAway"> & { tap: MachinesTap };
type Seen = ReadonlyMap<string, Observation>;

/** All that the engine has, and how it changes. */
export interface EngineState {
  of(id: string): KeptThere;
  listed(): Seen;
  /** As it was at some time in the last seconds. */
  lately(): readonly Seen[];
  running(): readonly (readonly [string, KeptThere])[];
  /** Before anything changes by itself: a list may still show it. */
  remember(): void;
  /** Somebody changes something. */
  change(life: Life, id: string, what: string): KeptThere;
  start(life: Life, id: string, readyMs: number): void;
  /** Throws while a machine has it. */
  volumeOf(id: string): SimVolume | null;
  removeVolume(life: Life, id: string): void;
}

const keptMs = 5_000;

export function engineState({ kernel, tap }: EngineOptions): EngineState {
  const all = new Map<string, KeptThere>();
  const lists: { at: number; seen: Seen }[] = [];
  const home = kernel.spawn("engine itself", () => undefined);
  const of = (id: string): KeptThere => {
    const known = all.get(id);
    if (known !== undefined) return known;
    const made: KeptThere = { machine: null, volume: null };
    all.set(id, made);
    return made;
  };
  const listed = (): Seen =>
    new Map([...all].filter(isThere).map(([id, each]) => [id, sightingOf(each)]));
  const remember = (): void => {
    lists.push({ at: kernel.now(), seen: listed() });
    while ((lists[0]?.at ?? Infinity) < kernel.now() - keptMs) lists.shift();
  };
  const change = (life: Life, id: string, what: string): KeptThere => {
    remember();
    tap.acted(life, id, what);
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
    remember,
    change,
    volumeOf,
    lately: () => lists.map(({ seen }) => seen),
    running: () => [...all].filter(([, each]) => each.machine === "running"),
    start(life, id, readyMs) {
      const kept = of(id);
      const { volume } = kept;
      if (volume === null) throw refused("There is no volume to run on.");
      if (kept.machine === "running") return;
      change(life, id, "start");
      kept.machine = "starting";
      const ready = (): void => {
        if (kept.machine !== "starting" || kept.volume !== volume) return;
        remember();
        kept.machine = "running";
        tap.ran(id, volume);
      };
      kernel.after(readyMs, "a machine is ready", ready, home);
    },
    removeVolume(life, id) {
      const volume = volumeOf(id);
      if (volume === null) return;
      const kept = change(life, id, "remove the volume");
      tap.destroyed(life, id, volume);
      kept.volume = null;
    },
  };
}

function isThere([, { machine, volume }]: readonly [string, KeptThere]): boolean {
  return machine !== null || volume !== null;
}

export function sightingOf({ machine, volume }: KeptThere): Observation {
  if (machine === null && volume === null) return nothingExists;
  return { machine, volume: volume === null ? null : { marker: volume.marker } };
}

export function refused(sentence: string): DaybookError {
  return new DaybookError("refused", sentence);
}
