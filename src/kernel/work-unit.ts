import type { ErrorData } from "../platform/errors.ts";
import type { Kind } from "./kind.ts";
import type { Claimed } from "./record.ts";
import type { Outcome, Shape } from "./shape.ts";
import type { WrittenVerdict } from "./verdict.ts";

export interface ClaimRequest<K extends Shape = Shape> {
  kind: Kind<K>;
  /** The kind's own queue when absent. */
  queue?: string | undefined;
  holder: string;
  leaseMs: number;
  limit: number;
  /** The only lane to claim from. */
  lane?: string | undefined;
  /** Lanes to skip when no lane is named: they are being parked, which takes a while for long ones. */
  except?: readonly string[] | undefined;
  /** Starts at low priority, so that a flood of urgent work never starves the rest. */
  lowFirst?: boolean | undefined;
}

/** A request for a store: it names the kind. */
export type ClaimInput = Omit<ClaimRequest, "kind"> & { kind: string };

export interface Claim<K extends Shape = Shape> {
  readonly records: readonly Claimed<K>[];
  /** The store's clock. */
  readonly now: number;
  /** The next wake time in this queue (or lane); null when nothing waits in it. */
  readonly nextWakeAt: number | null;
}

/** The right to write to a claimed record. */
export interface Leased {
  id: string;
  fence: number;
}

export interface Keep extends Leased {
  /** The lease now ends this long after the store's time. */
  leaseMs: number;
  outcome?: Outcome<Shape>;
  note?: string | undefined;
}

/** A unit that could not be written, not even in part; the error names the reason. */
export interface Refused {
  readonly result: "refused";
  readonly error: ErrorData;
}
interface Stale {
  readonly result: "stale";
}

export type Kept = Stale | Refused | { readonly result: "kept"; readonly cancelling: boolean };

export type Settle<K extends Shape = Shape> = SettleOf<K> | Unstarted;

/** A verdict under a lease. */
export type SettleOf<K extends Shape> = Leased & {
  /** The revision that the verdict was decided on. */
  revision: number;
} & WrittenVerdict<K>;

/** Gives the record back as if it had not been claimed: the attempt does not count. */
export interface Unstarted extends Leased {
  unstarted: true;
  wakeAt: number;
  /** Set when the controller observed this revision unchanged: the settle answers `moved` when the record was
   * edited meanwhile, and the wake time becomes its own. */
  revision?: number | undefined;
}

export type Settled<K extends Shape = Shape> =
  | Stale
  | Refused
  | { readonly result: "settled"; readonly revision: number }
  | { readonly result: "moved"; readonly record: Claimed<K> };

export interface Move {
  queue: string;
  lane: string;
  to: number;
  /** The most records to move; those with the earliest wake times first. */
  limit: number;
}

export interface Write extends Leased {
  stream: string;
  offset: number;
  bytes: Uint8Array;
}

/** `gap`: the stream ends at `size`, not at the offset; nothing was written. */
export type Written = Stale | { readonly result: "written" | "gap"; readonly size: number };

export interface Prune {
  endedBefore: number;
  limit: number;
  /** Skips records that ended before this time, when the caller has pruned those already. */
  endedFrom?: number | undefined;
  /** The records to prune. Default: all kinds. */
  of?: readonly PruneSelection[] | undefined;
}

/** Records of a kind; with `has`, those whose body has that field. */
export interface PruneSelection {
  kind: string;
  has?: string | undefined;
}
