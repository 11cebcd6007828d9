import type { Level } from "./kind.ts";
import type { Observation } from "./observation.ts";

/** The level that a workspace is seen at; or what is there is none of them. */
export type SeenLevel =
  | { readonly level: Level }
  | { readonly expected: string; readonly actual: string };

/** What is there decides, not what was written before. */
export function levelOf(observation: Observation, restoreMarker: string | null): SeenLevel {
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
