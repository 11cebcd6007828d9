import { simulate } from "../src/app/simulate.ts";
import { whenDesk } from "../src/app/when-desk.ts";
import type { Profile } from "../src/features/accounts/profile-reader.ts";
import type { Handler } from "../src/features/events/handler.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import type { Context, Reader } from "../src/kernel/operation.ts";
import { ids } from "../src/platform/ids.ts";
import type { Language } from "../src/platform/language.ts";
import { seededRandom, type Random } from "../src/platform/random.ts";
import { memory } from "../src/stores/memory/memory.ts";
import { handClock, type HandClock } from "./hand-clock.ts";
import { workspacesHere } from "./workspaces-here.ts";

/** A book in memory, a clock that stands still, and two people who ask. */
export interface Desk {
  ledger: Ledger;
  clock: HandClock;
  mina: Context;
  jun: Context;
  /** Whoever reads an answer now. */
  reader(language?: Language): Reader;
}

/** It is Mon 16 Nov 2026, eight in the morning in Seoul. */
export const eight: number = Date.parse("2026-11-16T08:00:00+09:00");

const installed: Profile = {
  zone: "Asia/Seoul",
  zoneFrom: "setting",
  language: "en",
  home: null,
  quiet: null,
};

/** Runs something here. */
export const reviewer: Handler = {
  name: "gen-pr",
  subscribes: ["github.pr.review_requested"],
  run: { command: ["./review.sh"] },
  timeoutMs: 60_000,
  retries: 2,
  target: "stdout:daemon",
  channels: [],
  repo: null,
};

/** Its tasks are taken by workers outside. */
export const worker: Handler = {
  name: "gen-docs",
  subscribes: ["jira.ticket.assigned"],
  timeoutMs: 60_000,
  retries: 1,
  target: "stdout:daemon",
  channels: [],
  repo: null,
};

export function desk(): Desk {
  const clock = handClock(eight);
  const random = seededRandom(1);
  return deskOn(memory({ now: clock.wall, ids: ids(clock, random) }), clock, random);
}

/** The same over any store that has this time. */
export function deskOn(ledger: Ledger, clock: HandClock, random: Random = seededRandom(1)): Desk {
  const when = whenDesk({
    ledger,
    ground: { clock, random },
    defaults: () => installed,
    home: "mina",
    settings: () => ({ handlers: [reviewer, worker], places: 3 }),
  });
  const of = (owner: string): Context => ({
    ledger,
    when,
    workspaces: workspacesHere(),
    owner,
    by: `${owner}-at-cli`,
    scopes: ["read", "write", "target"],
    origin: "stdout:daemon",
    profile: installed,
    defaults: () => installed,
    channels: ["stdout", "telegram", "webhook"],
    runners: { command: true, http: true, agent: true },
    now: clock.wall,
    simulate: (whose, span) => simulate(ledger, whose, span),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.bits() & 0xff),
  });
  const reader = (language: Language = "en"): Reader => ({
    language,
    zone: installed.zone,
    now: clock.wall(),
  });
  return { ledger, clock, mina: of("mina"), jun: of("jun"), reader };
}
