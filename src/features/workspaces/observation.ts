/** What is there of one workspace. What cannot be seen is no observation: it is an error. */
export interface Observation {
  /** `starting`: it is there and not ready; `stopped`: it is there and holds its volume. */
  readonly machine: "running" | "starting" | "stopped" | null;
  readonly volume: SeenVolume | null;
}

interface SeenVolume {
  /** The archive it was made to be restored from, as said when it was made; null: it began empty. */
  readonly marker: string | null;
}

export const nothingThere: Observation = { machine: null, volume: null };
