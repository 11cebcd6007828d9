import type { DatabaseSync } from "node:sqlite";
import type { Within } from "../../kernel/checked-ledger.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { fromPostgres, type Executor, type fromPg } from "../../stores/postgres/executors.ts";
import type { PostgresLedger } from "../../stores/postgres/postgres.ts";
import type { Store } from "../stores.ts";
import { methodsFor, type Methods } from "./methods.ts";
import { runsFor, type RunEnds, type Runs } from "./runs.ts";

/**
 * An open transaction of the caller: of the packages `postgres` or `pg`, of others through an `Executor`, or a
 * `DatabaseSync` on the file of the book.
 */
export type Transaction =
  | Executor
  | Parameters<typeof fromPostgres>[0]
  | Parameters<typeof fromPg>[0]
  | DatabaseSync;

/** The methods that only add to a book, and so can be part of any transaction. */
export const adding = [
  "remind",
  "importNotifications",
  "createSchedule",
  "runTask",
  "emitEvent",
] as const;

/** Methods in the caller's own transaction: all of it is committed with the rest, or none. */
export interface Inside extends Pick<Methods, (typeof adding)[number]>, Runs {
  /** Call it after the commit: nodes then claim the new work at once, and not at their next poll. */
  hint(): void;
}

export type OpenWithin = (transaction: Transaction) => Within;

/** Writes of a store in a transaction of the caller; a store that cannot do it refuses at once. */
export async function withinStore(store: Store, ledger: Ledger): Promise<OpenWithin> {
  switch (store.kind) {
    case "postgres":
      return (transaction) => (ledger as PostgresLedger).within(executorOf(transaction));
    case "sqlite": {
      const { sqliteWithin } = await import("../../stores/sqlite/within.ts");
      const within = sqliteWithin(store.path);
      return (transaction) => {
        if (isDatabase(transaction)) return within(transaction);
        throw wrong("a DatabaseSync of node:sqlite");
      };
    }
    case "memory":
    case "file":
    case "own":
      return () => {
        const where = { memory: "memory", file: "files", own: "a store of your own" }[store.kind];
        const message = `A book in ${where} has no transactions to share: use postgres://… or sqlite:PATH.`;
        throw new DaybookError("unsupported", message);
      };
  }
}

interface InsideContext {
  installation: Installation;
  caller: Caller;
  /** An end is seen outside, after the commit. */
  ends: RunEnds;
}

/** The methods that add, inside. They read inside too: a read outside might wait for this transaction. */
export function insideOf(within: Within, { installation, caller, ends }: InsideContext): Inside {
  const ledger: Ledger = { ...installation.ledger, of: within.of };
  const readProfile: Installation["readProfile"] = (owner) =>
    installation.readProfile(owner, ledger);
  const inner: Installation = { ...installation, ledger, readProfile };
  const methods = methodsFor(inner, caller);
  const { remind, importNotifications, createSchedule, runTask, emitEvent } = methods;
  const { run } = runsFor(inner, caller, ends);
  const adds = { remind, importNotifications, createSchedule, runTask, emitEvent };
  return { ...adds, run, hint: within.hint };
}

function executorOf(transaction: Transaction): Executor {
  if ("unsafe" in transaction) return fromPostgres(transaction);
  if (isDatabase(transaction) || !("query" in transaction)) {
    throw wrong("a transaction of postgres or pg, or fromKysely(…), fromDrizzle(…)");
  }
  const { query } = transaction as { query: (...request: unknown[]) => Promise<unknown> };
  return {
    async query(text, params) {
      const answer = await query.call(transaction, text, [...params]);
      return (Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows) as Awaited<
        ReturnType<Executor["query"]>
      >;
    },
  };
}

function isDatabase(transaction: Transaction): transaction is DatabaseSync {
  return "prepare" in transaction && "location" in transaction;
}

function wrong(what: string): DaybookError {
  return new DaybookError("invalid", `This book cannot share this transaction: pass ${what}.`);
}
