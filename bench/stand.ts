import type { Ledger } from "../src/kernel/ledger.ts";

/** A book with rows in plain SQL beneath, for what is measured alike in every SQL store. */
export interface Stand {
  /** As `open` takes it. */
  readonly store: string;
  readonly ledger: Ledger;
  /** Adds waiting records, much faster than by appending them. */
  add(load: Load): Promise<void>;
  /** A reader that keeps what it saw, as a backup does, until it is let go. */
  oldSnapshot(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface Load {
  readonly rows: number;
  readonly wakeAt: number;
  readonly queue?: string;
  readonly lane?: string;
  /** Leased, until their wake time. */
  readonly holder?: string;
}

/** Where those of a lane go: their lane is the target, as every notification's is. */
export function targetOf({ lane }: Load): string {
  return lane ?? "telegram:123456789";
}
