import { simulate } from "../src/app/simulate.ts";
import { homeOwner, profileDefaults } from "../src/features/accounts/ports.ts";
import { simulation } from "../src/features/book/ports.ts";
import type { Handler } from "../src/features/events/handler.ts";
import { eventContext, eventRules, type EventContext } from "../src/features/events/ports.ts";
import { callRule, channelNames } from "../src/features/notifications/ports.ts";
import {
  runWorkspaces,
  workerNames,
  localRunners,
  type LocalRunners,
} from "../src/features/tasks/ports.ts";
import { keptWorkspaces } from "../src/features/workspaces/ports.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import type { Installation, Context, Reader } from "../src/kernel/operation.ts";
import { overridePorts, provide, type Ports, type Provision } from "../src/kernel/port.ts";
import type { Profile } from "../src/kernel/profile.ts";
import { ids } from "../src/platform/ids.ts";
import type { Language } from "../src/platform/language.ts";
import { seededRandom, type Random } from "../src/platform/random.ts";
import { memory } from "../src/stores/memory/memory.ts";
import { testHost } from "../src/testing/host.ts";
import { handClock, type HandClock } from "./hand-clock.ts";
import { workspacesHere } from "./workspaces-here.ts";

/** A book in memory, a clock that stands still, and two people who ask. */
export interface BookFixture {
  ledger: Ledger;
  clock: HandClock;
  mina: Context;
  jun: Context;
  /** Whoever reads an answer now. */
  reader(language?: Language): Reader;
}

/** It is Mon 16 Nov 2026, eight in the morning in Seoul. */
export const eight: number = Date.parse("2026-11-16T08:00:00+09:00");

export const installed: Profile = {
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

export function bookFixture(): BookFixture {
  const clock = handClock(eight);
  const random = seededRandom(1);
  return bookFixtureOn(memory({ now: clock.wall, ids: ids(clock, random) }), clock, random);
}

/** The same over any store that has this time. */
export function bookFixtureOn(
  ledger: Ledger,
  clock: HandClock,
  random: Random = seededRandom(1),
): BookFixture {
  const installation = installationOn(ledger, { clock, random, profile: installed });
  const of = (owner: string): Context => ({
    ...installation,
    owner,
    by: `${owner}-at-cli`,
    scopes: ["read", "write", "target", "run"],
    origin: "stdout:daemon",
    profile: installed,
  });
  const reader = (language: Language = "en"): Reader => ({
    language,
    zone: installed.zone,
    now: clock.wall(),
  });
  return { ledger, clock, mina: of("mina"), jun: of("jun"), reader };
}

interface InstallationParts {
  clock: HandClock;
  random: Random;
  profile: Profile;
}

/** An installation of Mina's, with two handlers and two workspaces. */
export function installationOn(ledger: Ledger, parts: InstallationParts): Installation {
  const host = testHost(
    ledger,
    parts,
    provide(homeOwner, () => "mina"),
    provide(profileDefaults, () => () => parts.profile),
    provide(channelNames, () => ["stdout", "telegram", "webhook"]),
    provide(callRule, () => true),
    provide(localRunners, () => ({ command: true, http: true, agent: true })),
    provide(eventRules, () => ({
      handlers: [reviewer, worker],
      capacity: 3,
      defaultTarget: null,
    })),
    provide(simulation, () => (owner, span) => simulate(ledger, owner, span)),
  );
  return using(
    host,
    provide(runWorkspaces, () => workspacesHere()),
    provide(keptWorkspaces, () => workspacesHere()),
  );
}

/** The same with other ports. */
export function using<Context extends Ports>(
  context: Context,
  ...provisions: readonly Provision[]
): Context {
  return { ...context, ...overridePorts(context, ...provisions) };
}

export function withRunners<Context extends Ports>(
  context: Context,
  runners: LocalRunners,
): Context {
  return using(
    context,
    provide(localRunners, () => runners),
    provide(callRule, () => runners.http ?? true),
  );
}

/** The same where events are handled in another way. */
export function withHandling<Context extends Ports>(
  context: Context,
  change: Partial<EventContext>,
): Context {
  const handling = context.use(eventContext);
  if (handling === undefined) throw new Error("nobody handles events here");
  const changed = { ...handling, ...change };
  return using(
    context,
    provide(eventContext, () => changed),
    provide(workerNames, () => changed.handlers.map(({ name }) => name)),
  );
}
