import { notificationKind } from "../src/features/notifications/kind.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { median, msOf } from "./measure.ts";

/** About 220 bytes, as most reminders are. */
export const body = {
  message: "Water the plants on the balcony, and look whether the tomatoes need a longer stick.",
  at: 1_700_000_000_000,
  atText: "tomorrow at eight",
  target: "telegram:123456789",
  origin: "telegram:123456789",
};

export const outcome = { receipt: { messageId: 4711 }, reason: null, maybeDelivered: false };

export const dayMs = 86_400_000;
const leaseMs = 60_000;

/** Two hands, as a node has: one claims while the other settles. Answers how many they did. */
export async function drain(ledger: Ledger, queue: string, holder = "h"): Promise<number> {
  const hand = async (): Promise<number> => {
    let done = 0;
    for (;;) {
      const request = { kind: notificationKind, queue, holder, leaseMs, limit: 500 } as const;
      const { records } = await ledger.work.claim(request);
      if (records.length === 0) return done;
      const settled = await ledger.work.settle(
        records.map(({ id, lease, revision }) => ({
          id,
          fence: lease.fence,
          revision,
          ends: "delivered",
          outcome,
        })),
      );
      if (settled.some(({ result }) => result !== "settled")) throw new Error("A settle was lost.");
      done += records.length;
    }
  };
  const [one, other] = await Promise.all([hand(), hand()]);
  return one + other;
}

export interface Burst {
  /** So many callers ask at the same moment, then the next so many. */
  readonly atOnce: number;
  readonly count: number;
}

/** 10 callers, and a bulk. */
export const bursts: readonly Burst[] = [
  { atOnce: 10, count: 5_000 },
  { atOnce: 1_000, count: 20_000 },
];

export async function appendTurns(ledger: Ledger, { atOnce, count }: Burst): Promise<void> {
  const wakeAt = Date.now() + dayMs;
  for (let turn = 0; turn < count / atOnce; turn += 1) {
    const append = (_: unknown, n: number): Promise<unknown> =>
      ledger
        .of(`owner-${(turn * atOnce + n) % 1000}`, "cli")
        .append({ kind: "notification", state: "pending", body, wakeAt });
    await Promise.all(Array.from({ length: atOnce }, append));
  }
}

/** The time of a claim that finds nothing. */
export async function emptyPoll(ledger: Ledger): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    times.push(
      await msOf(async () => {
        const request = { kind: notificationKind, holder: "h", leaseMs, limit: 500 } as const;
        const { records } = await ledger.work.claim(request);
        if (records.length > 0) throw new Error("A poll that should find nothing found something.");
      }),
    );
  }
  return median(times);
}
