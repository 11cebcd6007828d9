import { ids } from "../src/base/ids.ts";
import { seededRandom } from "../src/base/random.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import { memory } from "../src/ledger/memory/memory.ts";
import type { Context } from "../src/operations/operation.ts";
import { handClock, type HandClock } from "./hand-clock.ts";

/** A book in memory, a clock that stands still, and two people who ask. */
export interface Desk {
  ledger: Ledger;
  clock: HandClock;
  mina: Context;
  jun: Context;
}

/** It is Mon 16 Nov 2026, eight in the morning in Seoul. */
export const eight: number = Date.parse("2026-11-16T08:00:00+09:00");

export function desk(): Desk {
  const clock = handClock(eight);
  const ledger = memory({ now: clock.wall, ids: ids(clock, seededRandom(1)) });
  const of = (owner: string): Context => ({
    ledger,
    owner,
    by: `${owner}-at-cli`,
    origin: "stdout:daemon",
    zone: "Asia/Seoul",
    now: clock.wall,
  });
  return { ledger, clock, mina: of("mina"), jun: of("jun") };
}
