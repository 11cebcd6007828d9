import type { DatabaseSync } from "node:sqlite";
import { ledgerClosed } from "../refusals.ts";
import { statements } from "./statements.ts";

/** The moments at which a test may end the process. */
export type Step = "begun" | "written" | "committed";

/** Transactions, and the hints that leave with them: a hint must never come before its commit. */
export interface Transactions {
  begin(writes: boolean): void;
  commit(): void;
  rollback(): void;
  /** Runs a piece of the transaction; if it throws, nothing of that piece stays. */
  savepoint<T>(run: () => T): T;
  hint(queue: string): void;
  /** The queues hinted by what was committed since this was last asked. */
  takeHints(): readonly string[];
}

export function transactions(
  database: DatabaseSync,
  onStep: (step: Step) => void = () => undefined,
): Transactions {
  const sql = statements(database);
  const beginToRead = sql.run("begin");
  const beginToWrite = sql.run("begin immediate");
  const commit = sql.run("commit");
  let pending: string[] = [];
  let told = new Set<string>();
  return {
    begin(writes) {
      if (!database.isOpen) throw ledgerClosed();
      if (writes) beginToWrite();
      else beginToRead();
      onStep("begun");
    },
    commit() {
      onStep("written");
      commit();
      onStep("committed");
      for (const queue of pending) told.add(queue);
      pending = [];
    },
    rollback() {
      pending = [];
      // SQLite ends the transaction by itself after some faults, such as a full disk.
      if (database.isOpen && database.isTransaction) database.exec("rollback");
    },
    savepoint: savepoints(sql, () => {
      const count = pending.length;
      return () => (pending.length = count);
    }),
    hint: (queue) => void pending.push(queue),
    takeHints() {
      const queues = [...told];
      told = new Set();
      return queues;
    },
  };
}

/** `mark` notes where we are, and answers how to come back to it. */
export function savepoints(
  sql: ReturnType<typeof statements>,
  mark: () => () => void,
): Transactions["savepoint"] {
  const open = sql.run("savepoint unit");
  const undo = sql.run("rollback to unit");
  const release = sql.run("release unit");
  return (run) => {
    const restore = mark();
    open();
    try {
      const answer = run();
      release();
      return answer;
    } catch (error) {
      // After a fault of the disk there may be no transaction left to return to: that error counts.
      try {
        undo();
        release();
      } catch {
        throw error;
      }
      restore();
      throw error;
    }
  };
}
