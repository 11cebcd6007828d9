import type { Spawn } from "../../platform/process.ts";
import type { MachineLimits } from "./kind.ts";
import type { Observation } from "./observation.ts";

/**
 * Where workspaces live. Knows no ledger: names are made from a workspace's id, and what does not carry our
 * label with that id is somebody else's and never touched.
 *
 * Each call may be cut off and made again, by another node too: what is there already is no error, and what is
 * gone already neither. A call resolves when it is done; whether it helped is for `look` to say.
 * What a call throws is a `DaybookError`: `unavailable` when nobody answered (`details.endpoint` says who), `busy` while something
 * is in use, `refused` when a name is somebody else's, another one otherwise (with `details.exit_code` and `details.stderr` where there are any).
 */
export interface Machines {
  /** `local`, `docker`. */
  readonly name: string;
  /** Nodes of the same place see the same machines. */
  readonly place: string;
  /** All that is there, in one look. */
  list(signal: AbortSignal): Promise<ReadonlyMap<string, Observation>>;
  look(id: string, signal: AbortSignal): Promise<Observation>;
  /** A machine on the workspace's volume, ready for work when this resolves. One that is stopped or left over is made anew. */
  start(spec: MachineSpec, context: StartContext): Promise<void>;
  /** Ends it at once, in whatever state it is, with all that runs in it. */
  remove(id: string, signal: AbortSignal): Promise<void>;
  /** Runs programs in a machine that runs; where its volume is, unless told otherwise. */
  exec(id: string): Spawn;
  readonly volumes: Volumes;
  /** That it can be used, in a few words; throws what to do when it cannot. */
  check(signal: AbortSignal): Promise<string>;
}

export interface MachineSpec {
  readonly id: string;
  readonly owner: string;
  readonly imageRef: string;
  readonly limits: MachineLimits;
}

export interface StartContext {
  readonly signal: AbortSignal;
  /** How far it is: a pull of an image takes its time. */
  progress(text: string): void;
}

/** What workspaces keep: one volume each. */
export interface Volumes {
  /** An empty one. */
  provision(volume: VolumeSpec, signal: AbortSignal): Promise<void>;
  /** All that is in it, as a tar. Its machine must be gone. */
  read(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * A fresh one, made for `marker` and filled from a tar that was vetted. Whatever was there is removed first: it is never gone
   * on with. When it throws, what is left of it carries the marker, and counts for nothing.
   */
  restore(volume: RestoreSpec, tar: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** `busy` while a machine has it. */
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
