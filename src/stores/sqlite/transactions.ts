import type { DatabaseSync } from "node:sqlite";
import { ledgerClosed } from "../../kernel/ledger-errors.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Statements } from "./statements.ts";

/** The steps at which a test may end the process. */
export type Step = "started" | "written" | "committed";

/** Transactions with their hints: a hint is never sent before its commit. */
export interface Transactions {
  begin(writes: boolean): void;
  /** Writes the buffered rows, right before a commit. */
  flush(): void;
  commit(): void;
  rollback(): void;
  /** Runs a unit of the transaction. If it throws, its writes are undone. May throw `RunAgain`. */
  savepoint: Savepoint;
  hint(queue: string): void;
  /** The queues that commits have hinted since the last call. */
  takeHints(): readonly string[];
}

export type Savepoint = <T>(run: () => T) => T;

/** The writes of one unit cannot be undone alone: the transaction is rolled back and run again. */
export class RunAgain extends Error {}

export function transactions(
  database: DatabaseSync,
  sql: Statements,
  onStep: (step: Step) => void = () => undefined,
): Transactions {
  const beginToRead = sql.run("begin");
  const beginToWrite = sql.run("begin immediate");
  const commit = sql.run("commit");
  let pending: string[] = [];
  let committed = new Set<string>();
  const units = optimisticSavepoints(sql, () => {
    const count = pending.length;
    return () => (pending.length = count);
  });
  return {
    begin(writes) {
      if (!database.isOpen) throw ledgerClosed();
      if (writes) beginToWrite();
      else beginToRead();
      onStep("started");
    },
    flush: sql.flush,
    commit() {
      onStep("written");
      commit();
      onStep("committed");
      units.committed();
      for (const queue of pending) committed.add(queue);
      pending = [];
    },
    rollback() {
      pending = [];
      sql.drop();
      // SQLite ends the transaction by itself after some faults, such as a full disk.
      if (database.isOpen && database.isTransaction) database.exec("rollback");
    },
    savepoint: units.run,
    hint: (queue) => void pending.push(queue),
    takeHints() {
      const queues = [...committed];
      committed = new Set();
      return queues;
    },
  };
}

/**
 * In a savepoint SQLite copies each page before its first change, which is expensive and rarely needed. So units
 * run without one. When a unit is refused after its first write, the transaction runs again with savepoints, and
 * so do the next transactions until one needs none.
 */
function optimisticSavepoints(
  sql: Statements,
  mark: () => () => void,
): { run: Savepoint; committed(): void } {
  const inSavepoint = savepoints(sql, mark);
  let usesSavepoints = false;
  let wasNeeded = false;
  const checked = <T>(unit: () => T): T => {
    const before = sql.runs();
    try {
      return unit();
    } catch (error) {
      if (!(error instanceof DaybookError) || sql.runs() === before) throw error;
      wasNeeded = true;
      if (usesSavepoints) throw error;
      usesSavepoints = true;
      throw new RunAgain(error.message, { cause: error });
    }
  };
  return {
    run: (unit) => (usesSavepoints ? inSavepoint(() => checked(unit)) : checked(unit)),
    committed() {
      usesSavepoints = wasNeeded;
      wasNeeded = false;
    },
  };
}

/** `mark` saves the state of the hints, and answers how to restore it. */
export function savepoints(sql: Statements, mark: () => () => void): Savepoint {
  const open = sql.run("savepoint unit");
  const undo = sql.run("rollback to unit");
  const release = sql.run("release unit");
  return (run) => {
    const restore = mark();
    sql.flush(); // rows of earlier units
    open();
    try {
      const answer = run();
      sql.flush();
      release();
      return answer;
    } catch (error) {
      sql.drop();
      // After a disk fault the transaction may have ended: then that error is thrown.
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
