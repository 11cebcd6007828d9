import { clampMs, type Clock } from "./clock.ts";

/** The result of a call with a deadline. */
export type DeadlineResult<T> =
  | { readonly done: T }
  | { readonly late: "time is up" | "told to stop" };

/**
 * Runs a function with a signal that aborts at its deadline or with the caller's signal. It then has
 * `graceMs` to answer; after that its answer is not waited for.
 */
export async function withDeadline<T>(
  options: { clock: Clock; timeoutMs: number; graceMs: number; signal: AbortSignal },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<DeadlineResult<T>> {
  const { clock, timeoutMs, graceMs, signal } = options;
  const own = new AbortController();
  const { promise: late, resolve: giveUp } = Promise.withResolvers<DeadlineResult<T>>();
  let cancelGrace = (): void => undefined;
  const abort = (why: "time is up" | "told to stop"): void => {
    if (own.signal.aborted) return;
    cancelGrace = clock.after(clampMs(graceMs), () => giveUp({ late: why }));
    own.abort(why);
  };
  const onAbort = (): void => abort("told to stop");
  const cancelTimeout = clock.after(clampMs(timeoutMs), () => abort("time is up"));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([run(own.signal).then((done) => ({ done })), late]);
  } finally {
    cancelTimeout();
    cancelGrace();
    signal.removeEventListener("abort", onAbort);
  }
}
