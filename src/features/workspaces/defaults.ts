import type { MachineLimits } from "./kind.ts";

/** What a workspace gets of which nobody said anything. */
export interface WorkspaceDefaults {
  /** Null: none is set, so that one must be named. */
  readonly imageRef: string | null;
  readonly machine: MachineLimits;
  readonly standbyTtlSeconds: number;
  readonly archiveTtlSeconds: number;
  readonly wakeAheadSeconds: number;
}

/** Where machines are no containers, they are made from nothing. */
export const localImage = "local";
