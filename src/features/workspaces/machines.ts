import type { Spawn } from "../../platform/process.ts";
import type { MachineLimits } from "./kind.ts";
import type { Observation } from "./observation.ts";

/**
 * The machines and volumes of workspaces. Knows no ledger: names are made from the id of a workspace, and anything
 * without the Daybook label for that id has another owner and is never touched.
 *
 * Each call may be cut off and repeated, also by another node: it is no error if the result exists already, or if the
 * thing to remove is missing. A call resolves when it is done; `inspect` tells whether it had its effect.
 * A call throws a `DaybookError`: `unavailable` without an answer (`details.endpoint`), `busy` while something is in
 * use, `refused` when a name has another owner, and other codes with `details.exit_code` and `details.stderr`.
 */
export interface Machines {
  /** `local`, `docker`. */
  readonly name: string;
  /** The location of the machines: nodes with the same value see the same ones. */
  readonly location: string;
  /** All workspaces, in one observation. */
  list(signal: AbortSignal): Promise<ReadonlyMap<string, Observation>>;
  inspect(id: string, signal: AbortSignal): Promise<Observation>;
  /** Starts a machine on the volume of the workspace, ready when this resolves. A stopped or leftover one is replaced. */
  start(spec: MachineSpec, context: StartContext): Promise<void>;
  /** Removes the machine at once, in any state, with all its processes. */
  remove(id: string, signal: AbortSignal): Promise<void>;
  /** Runs programs in a running machine, by default in the folder of its volume. */
  exec(id: string): Spawn;
  readonly volumes: Volumes;
  /** Describes the machines in a few words; throws with advice if they cannot be used. */
  check(signal: AbortSignal): Promise<string>;
}

export interface MachineSpec {
  readonly id: string;
  /** For people who look at the machines: names may change. */
  readonly name: string;
  readonly owner: string;
  readonly imageRef: string;
  readonly limits: MachineLimits;
}

export interface StartContext {
  readonly signal: AbortSignal;
  /** Reports progress: the pull of an image takes time. */
  progress(text: string): void;
}

/** The volumes of workspaces, one for each. */
export interface Volumes {
  /** Creates an empty volume. */
  provision(volume: VolumeSpec, signal: AbortSignal): Promise<void>;
  /** The content as a tar. Its machine must have been removed. */
  read(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Creates a new volume with `marker`, and fills it from a vetted tar. An existing volume is removed first, never
   * continued. After an error, the rest of the volume has the marker, and does not count as restored.
   */
  restore(volume: RestoreSpec, tar: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** Throws `busy` while a machine uses it. */
  remove(id: string, signal: AbortSignal): Promise<void>;
}

export interface VolumeSpec {
  readonly id: string;
  readonly owner: string;
}

export interface RestoreSpec extends VolumeSpec {
  /** The key of the archive. */
  readonly marker: string;
}
