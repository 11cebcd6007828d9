import type { Level } from "./kind.ts";

/** What exists of one workspace. A failed observation is an error, not an absence. */
export interface Observation {
  /** `starting`: it is there and not ready; `stopped`: it is there and holds its volume. */
  readonly machine: "running" | "starting" | "stopped" | null;
  readonly volume: ObservedVolume | null;
}

interface ObservedVolume {
  /** The archive it was created to be restored from; null: it began empty. */
  readonly marker: string | null;
}

export const nothingThere: Observation = { machine: null, volume: null };

/** The level that was observed; or what exists matches none of them. */
export type ObservedLevel =
  | { readonly level: Level }
  | { readonly expected: string; readonly actual: string };

/** Decided by what exists, not by what was written before. */
export function levelOf(observation: Observation, restoreMarker: string | null): ObservedLevel {
  const { machine } = observation;
  if (!hasVolume(observation, restoreMarker)) {
    if (machine === null) return { level: "PENDING" };
    return { expected: "a machine on its volume", actual: said(observation) };
  }
  return { level: machine === "running" ? "RUNNING" : "STANDBY" };
}

/** A volume that was to be restored and was not, wholly, is none: what is in it must never be taken for the data. */
export function hasVolume({ volume }: Observation, restoreMarker: string | null): boolean {
  return volume !== null && (volume.marker === null || volume.marker === restoreMarker);
}

export function said({ machine, volume }: Observation): string {
  const machineIs = machine === null ? "no machine" : `a machine that is ${machine}`;
  const from = volume?.marker ?? null;
  const volumeIs = volume === null ? "no volume" : "a volume";
  return `${machineIs}, ${volumeIs}${from === null ? "" : ` for ${from}`}`;
}
