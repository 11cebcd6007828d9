import { systemClock } from "./base/clock.ts";
import { DaybookError } from "./base/errors.ts";
import { log } from "./base/log.ts";
import { systemRandom } from "./base/random.ts";
import type { Service } from "./base/service.ts";
import type { Channel } from "./channels/channel.ts";
import { backupStore, node, openLedger, type Ground } from "./compose.ts";
import { parseStore } from "./config.ts";
import type { Ledger } from "./ledger/ledger.ts";

export interface OpenOptions {
  /** `sqlite:PATH` or `memory:`. */
  store: string;
  /** How things are said, by the part of a target before the colon. */
  channels?: readonly Channel[];
  leaseMs?: number;
  /** Gets log lines as JSON; nothing is written when absent. */
  log?(line: string): void;
}

/** An open book. Nothing in it is done by this process until `start`. */
export interface Daybook extends Service {
  readonly ledger: Ledger;
  /** Copies the book to a new file while it is in use, and checks the copy. */
  backup(to: string): Promise<{ records: number }>;
  /** Stops, and lets go of the store. */
  close(): Promise<void>;
}

export async function open(options: OpenOptions): Promise<Daybook> {
  const clock = systemClock();
  const write = options.log ?? ((): void => undefined);
  const ground: Ground = {
    clock,
    random: systemRandom(),
    log: log({ write, clock, level: "info", format: "json", color: false }),
  };
  const { leaseMs = 15_000, channels = [] } = options;
  if (!Number.isInteger(leaseMs) || leaseMs < 100) {
    throw new DaybookError("invalid", `"leaseMs" is ${leaseMs}: give whole milliseconds from 100.`);
  }
  const store = parseStore(options.store);
  const ledger = await openLedger(store, ground);
  const running = node(ledger, ground, { leaseMs, channels });
  return {
    ...running,
    ledger,
    backup: (to) => backupStore(store, to),
    async close() {
      await running.stop();
      await ledger.close();
    },
  };
}
