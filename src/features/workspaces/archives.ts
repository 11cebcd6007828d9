import type { Codec } from "./compression.ts";

/**
 * Where archives are kept: objects by key, as `archives/{workspace}/{op}/home.tar.zst`. Knows nothing of what is in them.
 * What a call throws is a `DaybookError`: `unavailable` when nobody answered (`details.endpoint` says who), `not_found` from `get` alone,
 * another one otherwise.
 */
export interface Archives {
  /** `dir`, `s3`. */
  readonly name: string;
  /** How archives are made smaller here; absent: by zstd. */
  readonly codec?: Codec;
  /** Keeps it whole, or not at all: no reader ever sees a part. Durable when it resolves. Replaces what was there. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Null: there is none. */
  head(key: string, signal: AbortSignal): Promise<{ size: number } | null>;
  /** Every key that begins so, in any order. Throws rather than leave one out. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<{ key: string; size: number }>;
  /** What is gone already is no error. */
  remove(keys: readonly string[], signal: AbortSignal): Promise<void>;
  /** That it can be used, in a few words; throws what to do when it cannot. */
  check(signal: AbortSignal): Promise<string>;
}
