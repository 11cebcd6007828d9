import { randomBytes } from "node:crypto";
import { systemClock } from "./base/clock.ts";
import { log } from "./base/log.ts";
import { systemRandom } from "./base/random.ts";
import type { Service } from "./base/service.ts";
import type { Channel } from "./channels/channel.ts";
import { node, type Ground, type OnError } from "./compose.ts";
import { configFrom } from "./config.ts";
import type { Settings } from "./config/schema.ts";
import type { Reference } from "./config/secrets.ts";
import { defaultsFrom, self } from "./desk.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { methodsFor, type Methods } from "./methods.ts";
import type { Desk } from "./operations/ask.ts";
import type { Caller } from "./operations/operation.ts";
import type { Language } from "./rules/times.ts";
import { backupStore, openLedger } from "./stores.ts";

export interface OpenOptions {
  /** `sqlite:PATH`, `file:FOLDER`, `postgres://…` or `memory:`; or where that is written. */
  store: string | Reference;
  /** How things are said, by the part of a target before the colon. */
  channels?: readonly Channel[];
  /** How times are read and shown, such as `Asia/Seoul`; the machine's when absent. */
  timezone?: string;
  language?: Language;
  /** How long a process that died keeps its work from the others. */
  leaseSeconds?: number;
  /** Records that ended are forgotten after this many days. */
  keepDays?: number;
  /** What is set for people, by name, until they set it themselves. */
  owners?: Settings["owners"];
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

export async function open(options: OpenOptions): Promise<Daybook> {
  const config = configFrom(options);
  const clock = systemClock();
  const write = options.log ?? ((): void => undefined);
  const ground: Ground = {
    clock,
    random: systemRandom(),
    log: log({ write, clock, level: "info", format: "json", color: false }),
  };
  const { store, leaseMs, keepMs } = config;
  const ledger = await openLedger(store, ground);
  const defaults = defaultsFrom(() => config);
  const { channels = [], onError } = options;
  const running = node(ledger, ground, {
    leaseMs,
    channels,
    keepMs: () => keepMs,
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
