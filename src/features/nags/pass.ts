import type { Controller, Written, RuntimePorts } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import { readClocks } from "../../kernel/lease-renewer.ts";
import { pool, type Pool } from "../../kernel/pool.ts";
import type { Claimed } from "../../kernel/record.ts";
import { estimatedClock } from "../../kernel/store-clock.ts";
import type { Facts } from "../../kernel/verdict.ts";
import { bus } from "../../platform/event-bus.ts";
import { fraction } from "../../platform/random.ts";
import type { NagKind } from "./kind.ts";

/** The counts of one pass over the due nags. */
interface PassReport {
  /** How many were claimed. */
  readonly processed: number;
  /** Of these, how many have a new notification. */
  readonly said: number;
  /** Of these, how many were moved to another time, paused or ended. */
  readonly planned: number;
  readonly failed: number;
  readonly errors: readonly { id: string; reason: string }[];
  readonly tookMs: number;
  /** How many the next pass claims, at most. */
  readonly batch: number;
}

/** Claims and settles the due nags once, at most so many of them. */
export type Pass = (limit: number) => Promise<PassReport>;

interface PassOptions {
  holder: string;
  leaseMs?: number;
  concurrency?: number;
  /** After a pass that takes longer, the next one claims fewer. */
  budgetMs?: number;
}

const defaults: Required<Omit<PassOptions, "holder">> = {
  leaseMs: 60_000,
  concurrency: 10,
  budgetMs: 25_000,
};
export const passMax = 1_000;
const batchMin = 10;
const batchStep = 50;
/** One claim in this many starts at low priority. */
const lowFirstEvery = 8;

/**
 * Runs a controller from outside, such as from cron: the same claim, attempt and settle as in the loop, once.
 * Simultaneous passes and the loop share the due nags, because a claim takes each of them once.
 */
export function passOver<Seen>(
  controller: Controller<NagKind, Seen>,
  ports: RuntimePorts,
  options: PassOptions,
): Pass {
  const { budgetMs, ...rest } = { ...defaults, ...options };
  const { clock } = ports;
  let batch = passMax;
  let passes = 0;
  return async (limit) => {
    passes += 1;
    const startedAt = clock.mono();
    const holder = `${options.holder}-pass-${passes}`;
    const most = Math.min(limit, batch);
    const isTimeUp = (): boolean => clock.mono() - startedAt >= budgetMs;
    const counts = await passOnce(controller, ports, { ...rest, holder, most, isTimeUp });
    const tookMs = Math.round(clock.mono() - startedAt);
    const isLate = tookMs >= budgetMs;
    batch = isLate
      ? Math.max(Math.floor(most / 2), batchMin)
      : Math.min(batch + batchStep, passMax);
    return { ...counts, tookMs, batch };
  };
}

interface OnePass extends Omit<Required<PassOptions>, "budgetMs"> {
  most: number;
  isTimeUp(): boolean;
}

type Counts = Omit<PassReport, "tookMs" | "batch">;

async function passOnce<Seen>(
  controller: Controller<NagKind, Seen>,
  ports: RuntimePorts,
  options: OnePass,
): Promise<Counts> {
  const { work, clock, random } = ports;
  const { holder, leaseMs, concurrency, most, isTimeUp } = options;
  const storeClock = estimatedClock(clock);
  const facts = (): Facts => ({ now: storeClock.now(), jitter: fraction(random) });
  const { kind, queue = kind.name } = controller;
  const counter = counterOver(controller, ports);
  let freed = Promise.withResolvers<void>();
  const handle: Pool<NagKind> = pool(
    counter.controller,
    { ...ports, events: counter.events },
    {
      queue,
      leaseMs,
      concurrency,
      laneShare: concurrency,
      facts,
      onSlotFreed: () => freed.resolve(),
    },
  );
  await handle.start();
  try {
    for (let [left, claims] = [most, 1]; left > 0 && !isTimeUp(); claims += 1) {
      const request = readClocks(clock);
      const limit = Math.min(concurrency, left);
      const lowFirst = claims % lowFirstEvery === 0;
      const claim = await work.claim({ kind, queue, holder, leaseMs, limit, lowFirst });
      storeClock.sync(claim.now);
      left -= claim.records.length;
      const found = claim.records.length;
      if (found > 0) {
        ports.events.emit("work claimed", { queue, found, working: found, most: concurrency });
      }
      counter.claimed(claim.records);
      await handle.accept(claim.records, request);
      // They settle in one call, so waiting for the last of them costs nothing.
      while (handle.freeSlots() < concurrency) {
        await freed.promise;
        freed = Promise.withResolvers();
      }
      const isMore = claim.nextWakeAt !== null && claim.nextWakeAt <= claim.now;
      if (claim.records.length === 0 && !isMore) break;
    }
  } finally {
    await handle.stop();
  }
  return counter.counts();
}

interface Counter<Seen> {
  /** The controller, with its settled verdicts counted. */
  readonly controller: Controller<NagKind, Seen>;
  readonly events: RuntimePorts["events"];
  claimed(records: readonly Claimed<NagKind>[]): void;
  counts(): Counts;
}

function counterOver<Seen>(
  controller: Controller<NagKind, Seen>,
  { events: outer }: RuntimePorts,
): Counter<Seen> {
  const faults = new Map<string, string>();
  const open = new Set<string>();
  const errors: { id: string; reason: string }[] = [];
  const counts = { processed: 0, said: 0, planned: 0 };
  const events = bus<Events>();
  events.listen((name, facts) => {
    outer.emit(name, facts);
    if ("id" in facts && "reason" in facts) faults.set(facts.id, facts.reason);
  });
  const count = (written: Written<NagKind, Seen>): void => {
    const { id } = written.record;
    open.delete(id);
    const reason = faults.get(id) ?? failureIn(written);
    faults.delete(id);
    if (reason !== undefined) errors.push({ id, reason });
    else if (sendsNotification(written)) counts.said += 1;
    else counts.planned += 1;
  };
  return {
    events,
    controller: {
      ...controller,
      publish(emitter, written) {
        count(written);
        controller.publish?.(emitter, written);
      },
    },
    claimed(records) {
      counts.processed += records.length;
      for (const { id } of records) open.add(id);
    },
    counts() {
      const lost = [...open].map((id) => ({ id, reason: faults.get(id) ?? "given back" }));
      const all = [...errors, ...lost];
      return { ...counts, failed: all.length, errors: all };
    },
  };
}

function sendsNotification<Seen>({ verdict }: Written<NagKind, Seen>): boolean {
  return verdict.consequences?.append?.some(({ kind }) => kind === "notification") ?? false;
}

/** Why the previous send failed, if this verdict plans its retry. */
function failureIn<Seen>({ record, verdict }: Written<NagKind, Seen>): string | undefined {
  const { outcome } = verdict;
  const before = record.outcome?.failures ?? 0;
  if (outcome === undefined || outcome.failures <= before) return undefined;
  return outcome.reason ?? "it could not be sent";
}
