import { backoffMs } from "../platform/backoff.ts";
import { messageOf } from "../platform/errors.ts";
import { loop } from "../platform/loop.ts";
import { fraction } from "../platform/random.ts";
import { group, service, type Service } from "../platform/service.ts";
import type { Controller, RuntimePorts } from "./controller.ts";
import { readClocks } from "./lease-renewer.ts";
import type { Work } from "./ledger.ts";
import { pool } from "./pool.ts";
import type { Shape } from "./shape.ts";
import { estimatedClock } from "./store-clock.ts";
import { storeBackoff } from "./store-retry.ts";
import type { Facts } from "./verdict.ts";

export interface RuntimeOptions {
  /** The only lane to claim from. */
  lane?: string | undefined;
  /** This node: the holder of its leases. */
  holder: string;
  leaseMs?: number | undefined;
  /** The most attempts at once. */
  concurrency?: number | undefined;
  /** The most attempts at once in one lane. */
  laneShare?: number | undefined;
  /** Instead of the controller's own. */
  pollMs?: number | undefined;
  /** It runs only while somebody listens: what is due before that waits for a listener, and is not late. */
  isOnDemand?: boolean | undefined;
}

const defaultPollMs = 30_000;
/** One claim in this many starts at low priority. */
const lowFirstEvery = 8;

/** The loop around a controller: sleep until the next wake, claim, act, settle, repeat. */
export function runController<K extends Shape, Seen>(
  controller: Controller<K, Seen>,
  ports: RuntimePorts,
  options: RuntimeOptions,
): Service {
  const { work, clock, events } = ports;
  const { holder, leaseMs = 15_000, concurrency = 64, laneShare = 16 } = options;
  const { kind, queue = kind.name } = controller;
  const pollMs = options.pollMs ?? controller.pollMs ?? defaultPollMs;
  const source = { kind, queue, lane: options.lane };
  const jitter = (): number => fraction(ports.random);
  const storeClock = estimatedClock(clock);
  const facts = (): Facts => ({ now: storeClock.now(), jitter: jitter() });
  const freed = (): void => {
    // Otherwise the last claim took all due records, and a free slot changes nothing.
    if (isFull) claims.wake();
  };
  const attempts = pool(controller, ports, {
    queue,
    leaseMs,
    concurrency,
    laneShare,
    facts,
    servedFrom: () => servedFrom ?? -Infinity,
    onSlotFreed: freed,
  });
  let servedFrom: number | undefined;
  let passes = 0;
  let failures = 0;
  let isFull = false;

  const pass = async (): Promise<number> => {
    const limit = attempts.freeSlots();
    isFull = limit <= 0;
    if (isFull) return Infinity; // the first attempt that ends wakes the loop
    passes += 1;
    const lowFirst = passes % lowFirstEvery === 0;
    const request = readClocks(clock);
    const except = attempts.parking();
    const claim = await work.claim({ ...source, holder, leaseMs, limit, lowFirst, except });
    failures = 0;
    storeClock.sync(claim.now);
    servedFrom ??= options.isOnDemand === true ? claim.now : -Infinity;
    const gaveBack = await attempts.accept(claim.records, request);
    const found = claim.records.length;
    if (found > 0) {
      events.emit("work claimed", {
        queue,
        found,
        working: concurrency - attempts.freeSlots(),
        most: concurrency,
      });
    }
    if (gaveBack) return 0;
    if (claim.nextWakeAt === null) return pollMs;
    return Math.min(Math.max(claim.nextWakeAt - claim.now, 0), pollMs);
  };
  const failed = (error: unknown): number => {
    failures += 1;
    events.emit("store failed", { doing: `claim from ${queue}`, reason: messageOf(error) });
    return backoffMs(storeBackoff, failures, jitter());
  };
  const claims = loop({ clock, pass, failed });
  const hints = claimHints(work, queue, claims.wake, attempts.beginStop);
  // Stopped in reverse: first the claims, then the running attempts.
  return group([attempts, claims, hints]);
}

/** Wakes the loop at a hint. It stops first, because the loop's stop waits for a pass that may wait for the store. */
function claimHints(work: Work, queue: string, wake: () => void, beginStop: () => void): Service {
  let removeListener = (): void => undefined;
  return service({
    start() {
      removeListener = work.onHint(queue, wake);
      return Promise.resolve();
    },
    stop() {
      removeListener();
      beginStop();
      return Promise.resolve();
    },
  });
}
