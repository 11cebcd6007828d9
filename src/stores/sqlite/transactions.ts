import type { DatabaseSync } from "node:sqlite";
import { ledgerClosed } from "../../kernel/refusals.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Statements } from "./statements.ts";

/** The moments at which a test may end the process. */
export type Step = "begun" | "written" | "committed";

/** Transactions, and the hints that leave with them: a hint must never come before its commit. */
export interface Transactions {
  begin(writes: boolean): void;
  /** Writes the rows that waited for others: the last thing before a commit. */
  flush(): void;
  commit(): void;
  rollback(): void;
  /** Runs a piece of the transaction; if it throws, nothing of that piece stays. May throw `RunAgain`. */
  savepoint: Savepoint;
  hint(queue: string): void;
  /** The queues hinted by what was committed since this was last asked. */
  takeHints(): readonly string[];
}

export type Savepoint = <T>(run: () => T) => T;

/** What a piece wrote cannot be taken back by itself: the transaction is rolled back and run again. */
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
  let told = new Set<string>();
  const pieces = hopefully(sql, () => {
    const count = pending.length;
    return () => (pending.length = count);
  });
  return {
    begin(writes) {
      if (!database.isOpen) throw ledgerClosed();
      if (writes) beginToWrite();
      else beginToRead();
      onStep("begun");
    },
    flush: sql.flush,
    commit() {
      onStep("written");
      commit();
      onStep("committed");
      pieces.committed();
      for (const queue of pending) told.add(queue);
      pending = [];
    },
    rollback() {
      pending = [];
      sql.drop();
      // SQLite ends the transaction by itself after some faults, such as a full disk.
      if (database.isOpen && database.isTransaction) database.exec("rollback");
    },
    savepoint: pieces.run,
    hint: (queue) => void pending.push(queue),
    takeHints() {
      const queues = [...told];
      told = new Set();
      return queues;
    },
  };
}

/**
 * In a savepoint SQLite copies each page before its first change, which is dear and hardly ever
 * needed. So pieces run without one. If one is refused after it wrote, the transaction is run again with them,
 * and so are the next ones until none needed it.
 */
function hopefully(sql: Statements, mark: () => () => void): { run: Savepoint; committed(): void } {
  const inSavepoint = savepoints(sql, mark);
  let isCareful = false;
  let wasNeeded = false;
  const watched = <T>(piece: () => T): T => {
    const before = sql.runs();
    try {
      return piece();
    } catch (error) {
      if (!(error instanceof DaybookError) || sql.runs() === before) throw error;
      wasNeeded = true;
      if (isCareful) throw error;
      isCareful = true;
      throw new RunAgain(error.message, { cause: error });
    }
  };
  return {
    run: (piece) => (isCareful ? inSavepoint(() => watched(piece)) : watched(piece)),
    committed() {
      isCareful = wasNeeded;
      wasNeeded = false;
    },
  };
}

/** `mark` notes where we are, and answers how to come back to it. */
export function savepoints(sql: Statements, mark: () => () => void): Savepoint {
  const open = sql.run("savepoint unit");
  const undo = sql.run("rollback to unit");
  const release = sql.run("release unit");
  return (run) => {
    const restore = mark();
    sql.flush(); // of the pieces before it
    open();
    try {
      const answer = run();
      sql.flush();
      release();
      return answer;
    } catch (error) {
      sql.drop();
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
