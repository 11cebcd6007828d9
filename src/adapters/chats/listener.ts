import { backoffMs } from "../../platform/backoff.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import { chatFaultOf } from "../channels/chat-client.ts";
import type { ChatContext } from "./chat.ts";
import { conversations, type Conversations } from "./conversations.ts";

/** After a longer wait an answer is too late to be useful. */
const restMsMax = 30_000;
const retryMs = 1_000;
/** For answers in flight when the service stops. */
const graceMs = 5_000;
const backoff = { firstMs: 1_000, factor: 2, maxMs: 60_000 };

/** Retries once after a 429, or when the request was not sent. What may have arrived is not sent twice. */
export async function withRetry<T>(
  call: () => Promise<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { status, sent, afterMs = retryMs } = chatFaultOf(error);
    const canRetry = (status === 429 || sent === false) && afterMs <= restMsMax;
    if (!canRetry || signal.aborted) throw error;
    await sleep(clock, afterMs, signal);
    return call();
  }
}

/** Resolves when `done` settles, or after `ms`. */
export async function waitAtMost(clock: Clock, ms: number, done: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  void done.then(end, end);
  await sleep(clock, ms, over.signal);
}

interface Listener extends Service {
  readonly inputs: Conversations;
  /** Aborts when it is stopped. */
  readonly signal: () => AbortSignal;
  isOpen(): boolean;
}

/**
 * Listens until it is stopped, with backoff while that fails. The daemon starts whether the
 * service can be reached or not. Each reason is logged once. `listen` listens once, and answers in
 * how many milliseconds to listen again.
 */
export function listener(
  name: string,
  context: ChatContext,
  listen: (signal: AbortSignal) => Promise<number>,
): Listener {
  const { clock, log } = context;
  const inputs = conversations(context);
  let stopping = new AbortController();
  let isOpen = false;
  let failures = 0;
  let lastReason: string | undefined;
  const around = loop({
    clock,
    async pass(signal) {
      const ms = await listen(signal);
      if (lastReason !== undefined) log.info("chat.back", { channel: name });
      [failures, lastReason] = [0, undefined];
      return ms;
    },
    failed(error) {
      if (stopping.signal.aborted) return 0;
      failures += 1;
      const reason = messageOf(error);
      if (reason !== lastReason) log.warn("chat.unheard", { channel: name, reason });
      lastReason = reason;
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
      await waitAtMost(clock, graceMs, inputs.idle());
    },
  });
  return { ...parts, inputs, signal: () => stopping.signal, isOpen: () => isOpen };
}
