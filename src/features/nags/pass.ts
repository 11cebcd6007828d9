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

/** What one pass over everything that is due came to. */
interface PassReport {
  /** How many were looked at. */
  readonly processed: number;
  /** Of these, for how many something is on its way now. */
  readonly said: number;
  /** Of these, which have another time now, rest, or have ended. */
  readonly planned: number;
  readonly failed: number;
  readonly errors: readonly { id: string; reason: string }[];
  readonly tookMs: number;
  /** How many the next one looks at, at most. */
  readonly batch: number;
}

/** Looks once at what is due, at most so many of them. */
export type Pass = (limit: number) => Promise<PassReport>;

interface PassOptions {
  holder: string;
  leaseMs?: number;
  concurrency?: number;
  /** A pass that takes longer looks at fewer the next time. */
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
 * A controller for those who are called from outside, such as by cron: the same claim, attempt and settle as in the
 * loop, once. Passes beside each other, and beside the loop, share what is due: a claim takes each once.
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
    const isOver = (): boolean => clock.mono() - startedAt >= budgetMs;
    const counted = await passOnce(controller, ports, { ...rest, holder, most, isOver });
    const tookMs = Math.round(clock.mono() - startedAt);
    batch = tookMs >= budgetMs ? halved(most) : Math.min(batch + batchStep, passMax);
    return { ...counted, tookMs, batch };
  };
}

function halved(most: number): number {
  return Math.max(Math.floor(most / 2), batchMin);
}

interface Once {
  holder: string;
  leaseMs: number;
  concurrency: number;
  most: number;
  isOver(): boolean;
}

async function passOnce<Seen>(
  controller: Controller<NagKind, Seen>,
  ports: RuntimePorts,
  options: Once,
): Promise<Omit<PassReport, "tookMs" | "batch">> {
  const { work, clock, random } = ports;
  const { holder, leaseMs, concurrency, most, isOver } = options;
  const storeClock = estimatedClock(clock);
  const facts = (): Facts => ({ now: storeClock.now(), jitter: fraction(random) });
  const { kind, queue = kind.name } = controller;
  const count = counting(controller, ports);
  let freed = Promise.withResolvers<void>();
  const handle: Pool<NagKind> = pool(
    count.controller,
    { ...ports, events: count.events },
    { queue, leaseMs, concurrency, laneShare: concurrency, facts, freed: () => freed.resolve() },
  );
  await handle.start();
  try {
    for (let [left, claims] = [most, 1]; left > 0 && !isOver(); claims += 1) {
      const request = readClocks(clock);
      const limit = Math.min(concurrency, left);
      const lowFirst = claims % lowFirstEvery === 0;
      const claim = await work.claim({ kind, queue, holder, leaseMs, limit, lowFirst });
      storeClock.learn(claim.now);
      left -= claim.records.length;
      count.began(claim.records);
      await handle.take(claim.records, request);
      // All of them: they settle in one call, so that waiting for the last costs nothing.
      while (handle.room() < concurrency) {
        await freed.promise;
        freed = Promise.withResolvers();
      }
      const isMore = claim.nextWakeAt !== null && claim.nextWakeAt <= claim.now;
      if (claim.records.length === 0 && !isMore) break;
    }
  } finally {
    await handle.stop();
  }
  return count.report();
}

interface Counting<Seen> {
  /** The same, and what it writes is counted. */
  readonly controller: Controller<NagKind, Seen>;
  readonly events: RuntimePorts["events"];
  began(records: readonly Claimed<NagKind>[]): void;
  report(): Omit<PassReport, "tookMs" | "batch">;
}

function counting<Seen>(
  controller: Controller<NagKind, Seen>,
  { events: heard }: RuntimePorts,
): Counting<Seen> {
  const broke = new Map<string, string>();
  const open = new Set<string>();
  const errors: { id: string; reason: string }[] = [];
  const counts = { processed: 0, said: 0, planned: 0 };
  const events = bus<Events>();
  events.listen((name, facts) => {
    heard.emit(name, facts);
    if ("id" in facts && "reason" in facts) broke.set(facts.id, facts.reason);
  });
  const wrote = (written: Written<NagKind, Seen>): void => {
    const { id } = written.record;
    open.delete(id);
    const reason = broke.get(id) ?? failureIn(written);
    broke.delete(id);
    if (reason !== undefined) errors.push({ id, reason });
    else if (sendsNotification(written)) counts.said += 1;
    else counts.planned += 1;
  };
  return {
    events,
    controller: {
      ...controller,
      publish(told, written) {
        wrote(written);
        controller.publish?.(told, written);
      },
    },
    began(records) {
      counts.processed += records.length;
      for (const { id } of records) open.add(id);
    },
    report() {
      const lost = [...open].map((id) => ({ id, reason: broke.get(id) ?? "given back" }));
      const all = [...errors, ...lost];
      return { ...counts, failed: all.length, errors: all };
    },
  };
}

function sendsNotification<Seen>({ verdict }: Written<NagKind, Seen>): boolean {
  return verdict.consequences?.append?.some(({ kind }) => kind === "notification") ?? false;
}

/** What says it came to nothing: it stays due, and says why. */
function failureIn<Seen>({ record, verdict }: Written<NagKind, Seen>): string | undefined {
  const { outcome } = verdict;
  const before = record.outcome?.failures ?? 0;
  if (outcome === undefined || outcome.failures <= before) return undefined;
  return outcome.reason ?? "it could not be said";
}
