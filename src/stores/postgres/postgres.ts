import { ledgerOver, type Within } from "../../kernel/checked-ledger.ts";
import { ledgerClosed } from "../../kernel/ledger-errors.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Transport, Verb, Verbs } from "../../kernel/verbs.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids as idsOf } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { type Database, openDatabase, type PostgresOptions } from "./database.ts";
import type { Executor } from "./executors.ts";
import { openFaultOf } from "./faults.ts";
import { floors as floorsOf } from "./floors.ts";
import { type StoreVerbs, storeVerbs } from "./verbs.ts";
import { wakeHints } from "./wake-hints.ts";
import { withinTransaction } from "./within.ts";

export type { PostgresOptions } from "./database.ts";

export interface PostgresLedger extends Ledger {
  /** Writes in the caller's own transaction: all of it is committed, or none. */
  within(executor: Executor): Within;
}

/** The ledger in PostgreSQL: for many nodes. */
export async function postgres(options: PostgresOptions): Promise<PostgresLedger> {
  const { within, ...transport } = await postgresTransport(options);
  return { ...ledgerOver(transport), within };
}

/** The verbs as plain data, for traces that are replayed on every store. */
export async function postgresTransport(
  options: PostgresOptions,
): Promise<Transport & Pick<PostgresLedger, "within">> {
  const clock = systemClock();
  const ids = idsOf(clock, systemRandom());
  const floors = floorsOf(() => clock.mono());
  let database: Database | undefined;
  const hints = wakeHints({
    url: options.url,
    notify: async (channel, messages) => database?.notify(channel, messages),
    clock,
    self: ids(),
    onBelow: floors.reset,
  });
  const { end } = (database = await openDatabase(options, hints.notify));
  try {
    await hints.listen();
  } catch (error) {
    await end();
    throw openFaultOf(error, options.url);
  }
  const calls = tracked(storeVerbs(database, floors, ids), (verb, input) => {
    // A freed lane returns to its ready time, which may be below the floor.
    if (verb === "move") hints.sendBelow((input as Verbs["move"]["input"]).queue);
  });
  return {
    perform: calls.perform,
    onHint: hints.onHint,
    async close() {
      await calls.close();
      await hints.close();
      await end();
    },
    within: (executor) => withinTransaction(executor, ids, hints.notify),
  };
}

/** Tracks the running calls, so that `close` can wait for them. */
function tracked(
  verbs: StoreVerbs,
  done: (verb: Verb, input: unknown) => void,
): Pick<Transport, "perform" | "close"> {
  const open = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async perform(verb, input) {
      if (closed) throw ledgerClosed();
      const request = verbs[verb](input);
      open.add(request);
      try {
        return await request;
      } finally {
        open.delete(request);
        done(verb, input);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(open);
    },
  };
}
