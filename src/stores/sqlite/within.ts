import { realpathSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { withinOver, type BookVerbs, type Within } from "../../kernel/checked-ledger.ts";
import { bookVerbs, type Verb } from "../../kernel/verbs.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { type Call, perform } from "./engine.ts";
import { faultOf } from "./faults.ts";
import { statements } from "./statements.ts";
import { savepoints } from "./transactions.ts";
import { storeVerbs } from "./verbs.ts";
import { touchWakeFile } from "./wake-hints.ts";

/**
 * Writes in the caller's own transaction, on the caller's own connection to the ledger's file. A refused unit
 * leaves that transaction usable.
 */
export function sqliteWithin(path: string): (database: DatabaseSync) => Within {
  const cached = new WeakMap<DatabaseSync, Within>(); // preparing statements costs more than running them
  return (database) => {
    checkDatabase(database, path);
    checkTransaction(database);
    const within =
      cached.get(database) ?? withinOver(verbsOver(database), () => touchWakeFile(path));
    cached.set(database, within);
    return within;
  };
}

function verbsOver(database: DatabaseSync): BookVerbs {
  const clock = systemClock();
  const sql = statements(database);
  // A touch of the wake file hints all queues, so none is kept here.
  const savepoint = savepoints(sql, () => () => undefined);
  const verbs = storeVerbs(sql, { hint: () => undefined, savepoint }, ids(clock, systemRandom()));
  const at = (verb: Verb) => async (input: unknown) => {
    checkTransaction(database);
    try {
      const answer = perform(verbs, [verb, input] as Call, clock.wall());
      sql.flush(); // the caller commits
      return answer;
    } catch (error) {
      sql.drop();
      throw faultOf(error);
    }
  };
  return Object.fromEntries(bookVerbs.map((verb) => [verb, at(verb)])) as BookVerbs;
}

function checkDatabase(database: DatabaseSync, path: string): void {
  const file = database.isOpen ? database.location() : null;
  if (file !== null && realpathSync(file) === realpathSync(path)) return;
  const message = `This connection is not to ${path}, the ledger's file: open that file, and keep your tables in it.`;
  throw new DaybookError("refused", message, { details: { path } });
}

/** Outside of a transaction each write of a unit would be a commit of its own. */
function checkTransaction(database: DatabaseSync): void {
  if (database.isOpen && database.isTransaction) return;
  throw new DaybookError("refused", "No transaction is open on this connection: begin one first.");
}
