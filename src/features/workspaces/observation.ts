import type { Level } from "./kind.ts";

/** What exists of one workspace. A failed observation is an error, not an absence. */
export interface Observation {
  /** `starting`: it exists and is not ready; `stopped`: it exists and holds its volume. */
  readonly machine: "running" | "starting" | "stopped" | null;
  readonly volume: ObservedVolume | null;
}

interface ObservedVolume {
  /** The archive that it was created for; null: it was created empty. */
  readonly marker: string | null;
}

export const nothingExists: Observation = { machine: null, volume: null };

/** The observed level, or the mismatch if what exists is no level. */
export type ObservedLevel =
  | { readonly level: Level }
  | { readonly expected: string; readonly actual: string };

/** Follows from what exists, never from what was recorded before. */
export function levelOf(observation: Observation, restoreMarker: string | null): ObservedLevel {
  const { machine } = observation;
  if (!hasVolume(observation, restoreMarker)) {
    if (machine === null) return { level: "PENDING" };
    return { expected: "a machine on its volume", actual: describeObservation(observation) };
  }
  return { level: machine === "running" ? "RUNNING" : "STANDBY" };
}

/** A volume that was not completely restored does not count: its content must never be taken for the data. */
export function hasVolume({ volume }: Observation, restoreMarker: string | null): boolean {
  return volume !== null && (volume.marker === null || volume.marker === restoreMarker);
}

export function describeObservation({ machine, volume }: Observation): string {
  const machineIs = machine === null ? "no machine" : `a machine that is ${machine}`;
  const from = volume?.marker ?? null;
  const volumeIs = volume === null ? "no volume" : "a volume";
  return `${machineIs}, ${volumeIs}${from === null ? "" : ` for ${from}`}`;
}
