import { randomBytes } from "node:crypto";
import { systemClock } from "./base/clock.ts";
import { DaybookError } from "./base/errors.ts";
import { log } from "./base/log.ts";
import { systemRandom } from "./base/random.ts";
import type { Service } from "./base/service.ts";
import type { Channel } from "./channels/channel.ts";
import { node, type Ground, type OnError } from "./compose.ts";
import { hostZone } from "./config/resolve.ts";
import { parseStore } from "./config/store-url.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { plainProfile } from "./ledger/profiles.ts";
import { methodsFor, type Methods } from "./methods.ts";
import type { Desk } from "./operations/ask.ts";
import type { Caller } from "./operations/operation.ts";
import { isZone, type Language } from "./rules/times.ts";
import { backupStore, openLedger } from "./stores.ts";

export interface OpenOptions {
  /** `sqlite:PATH`, `file:FOLDER`, `postgres://…` or `memory:`. */
  store: string;
  /** How things are said, by the part of a target before the colon. */
  channels?: readonly Channel[];
  /** How times are read and shown, such as `Asia/Seoul`; the machine's when absent. */
  timezone?: string;
  language?: Language;
  leaseMs?: number;
  /** Hears of what goes wrong: a store that fails, an act that breaks, a lease that is lost. */
  onError?: OnError;
  /** Gets log lines as JSON; nothing is written when absent. */
  log?(line: string): void;
}

/** An open book. Nothing in it is done by this process until `start`. */
export interface Daybook extends Service, Methods {
  readonly ledger: Ledger;
  /** The same methods in another owner's book, or as another principal. */
  as(caller: Partial<Caller>): Methods;
  /** Copies the book to a new file while it is in use, and checks the copy. */
  backup(to: string): Promise<{ records: number }>;
  /** Stops, and lets go of the store. */
  close(): Promise<void>;
}

const keepMs = 90 * 86_400_000;
/** Who asks when nobody is named: the program itself, which may do everything. */
const self: Caller = { owner: "me", by: "me", scopes: ["admin"], origin: null };

export async function open(options: OpenOptions): Promise<Daybook> {
  const clock = systemClock();
  const write = options.log ?? ((): void => undefined);
  const ground: Ground = {
    clock,
    random: systemRandom(),
    log: log({ write, clock, level: "info", format: "json", color: false }),
  };
  const { leaseMs = 15_000, channels = [] } = checked(options);
  const store = parseStore(options.store);
  const ledger = await openLedger(store, ground);
  const { timezone: zone = hostZone(), language = "en" } = options;
  const zoneFrom = options.timezone === undefined ? ("host" as const) : ("setting" as const);
  const defaults: Desk["defaults"] = () => ({ ...plainProfile, zone, zoneFrom, language });
  const { onError } = options;
  const running = node(ledger, ground, {
    leaseMs,
    channels,
    keepMs,
    defaults,
    ...(onError && { onError }),
  });
  const names = [...channels.map(({ name }) => name), "inbox", "session"];
  const now = (): number => clock.wall();
  const desk: Desk = { ledger, defaults, channels: names, now, randomBytes };
  return {
    start: running.start,
    stop: running.stop,
    ...methodsFor(desk, self),
    as: (caller) => methodsFor(desk, { ...self, ...caller }),
    ledger,
    backup: (to) => backupStore(store, to),
    async close() {
      await running.stop();
      await ledger.close();
    },
  };
}

function checked(options: OpenOptions): OpenOptions {
  const { leaseMs = 15_000, timezone } = options;
  if (!Number.isInteger(leaseMs) || leaseMs < 100) {
    throw new DaybookError("invalid", `"leaseMs" is ${leaseMs}: give whole milliseconds from 100.`);
  }
  if (timezone !== undefined && !isZone(timezone)) {
    const sentence = `"timezone" is "${timezone}", which is none: write it like "Asia/Seoul".`;
    throw new DaybookError("invalid", sentence);
  }
  return options;
}
