import { backoffMs } from "../../platform/backoff.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import { chatFaultOf } from "../channels/chat-client.ts";

/** A longer rest would make an answer that nobody waits for any more. */
const restMsMax = 30_000;
const againMs = 1_000;
/** For answers that are under way when it is stopped. */
const graceMs = 5_000;
const backoff = { firstMs: 1_000, factor: 2, maxMs: 60_000 };

/** Calls once more when that was too much, or had not gone out. What may have arrived is not said twice. */
export async function patiently<T>(
  call: () => Promise<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { status, sent, afterMs = againMs } = chatFaultOf(error);
    const isAgain = (status === 429 || sent === false) && afterMs <= restMsMax;
    if (!isAgain || signal.aborted) throw error;
    await sleep(clock, afterMs, signal);
    return call();
  }
}

/** Resolves when it is done, or when so much time is over. */
export async function atMost(clock: Clock, ms: number, done: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  void done.then(end, end);
  await sleep(clock, ms, over.signal);
}

interface Listening {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Listens once, and says in how many milliseconds to listen again. */
  listen(signal: AbortSignal): Promise<number>;
  /** Resolves when all that was heard is answered. */
  idle(): Promise<void>;
}

/**
 * Listens until it is stopped, and longer and longer apart while that fails. The daemon starts
 * whether the service can be reached or not. Each reason is told once.
 */
export function listening(
  options: Listening,
): Service & { readonly signal: () => AbortSignal; isOpen(): boolean } {
  const { name, clock, log, idle } = options;
  let stopping = new AbortController();
  let isOpen = false;
  let failures = 0;
  let told: string | undefined;
  const around = loop({
    clock,
    async pass(signal) {
      const ms = await options.listen(signal);
      if (told !== undefined) log.info("chat.back", { channel: name });
      [failures, told] = [0, undefined];
      return ms;
    },
    failed(error) {
      if (stopping.signal.aborted) return 0;
      failures += 1;
      const reason = messageOf(error);
      if (reason !== told) log.warn("chat.unheard", { channel: name, reason });
      told = reason;
      return chatFaultOf(error).afterMs ?? backoffMs(backoff, failures, 1);
    },
  });
  const parts = service({
    async start() {
      stopping = new AbortController();
      await around.start();
      isOpen = true;
    },
    async stop() {
      isOpen = false;
      stopping.abort();
      await around.stop();
      await atMost(clock, graceMs, idle());
    },
  });
  return { ...parts, signal: () => stopping.signal, isOpen: () => isOpen };
}
