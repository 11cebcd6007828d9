import type { Mutant } from "./table.ts";

/** Bugs in the SQL, and in what the SQL stores share. */
export const sqliteMutants: readonly Mutant[] = [
  {
    name: "sqlite: fence dropped",
    file: "stores/sql/row.ts",
    find: "|| row.fence !== fence",
    replace: "",
  },
  {
    name: "sqlite: hold not freed on end",
    file: "stores/sqlite/rows.ts",
    find: "if (after.endedAt !== null) deleteHolds(after.id);",
    replace: "",
  },
  {
    name: "sqlite: cancelling record handed out again",
    file: "stores/sqlite/claim.ts",
    find: "if (row.cancelling) endCancelled",
    replace: "if (row.id < 0) endCancelled",
  },
  {
    name: "sqlite: attempt not counted in the store",
    file: "stores/sqlite/claim.ts",
    find: "attempt = attempt + 1",
    replace: "attempt = attempt",
  },
  {
    name: "sqlite: stale revision accepted by settle",
    file: "stores/sqlite/settle.ts",
    find: "if (revision !== row.revision)",
    replace: "if (revision < 0)",
  },
  {
    name: "sqlite: lease not extended by keep",
    file: "stores/sqlite/settle.ts",
    find: "wakeAt: now + unit.leaseMs",
    replace: "wakeAt: row.wakeAt",
  },
  {
    name: "sqlite: refused unit not rolled back",
    file: "stores/sqlite/transactions.ts",
    find: "        undo();\n        release();",
    replace: "        release();",
  },
  {
    name: "sqlite: refused unit stays where no savepoint was set",
    file: "stores/sqlite/transactions.ts",
    find: "throw new RunAgain(error.message, { cause: error });",
    replace: "throw error;",
  },
  {
    name: "sqlite: what waited to be written outlives a rollback",
    file: "stores/sqlite/transactions.ts",
    find: "      sql.drop();\n      // SQLite ends",
    replace: "      // SQLite ends",
  },
  {
    name: "sqlite: what waited to be written outlives a refused unit",
    file: "stores/sqlite/transactions.ts",
    find: "      sql.drop();\n      // After",
    replace: "      // After",
  },
  {
    name: "sqlite: woken flag lost",
    file: "stores/sql/change.ts",
    find: "wokenAt: Math.min(row.wokenAt ?? now, now)",
    replace: "wokenAt: row.wokenAt",
  },
  {
    name: "sqlite: move makes rows early",
    file: "stores/sqlite/maintenance.ts",
    find: "max(ready_at, ?3) as toAt from due indexed",
    replace: "?3 as toAt from due indexed",
  },
  {
    name: "sqlite: the feed repeats its last change",
    file: "stores/sqlite/history.ts",
    find: "`h.owner = ? and h.seq > ?`",
    replace: "`h.owner = ? and h.seq >= ?`",
  },
  {
    name: "sqlite: prune forgets too much",
    file: "stores/sqlite/maintenance.ts",
    find: "where ended_at < ?",
    replace: "where ended_at < ? + 1000000",
  },
  {
    name: "sqlite: another owner's record is found",
    file: "stores/sqlite/rows.ts",
    find: "row === undefined || row.owner !== owner ? undefined",
    replace: "row === undefined ? undefined",
  },
  {
    name: "sqlite: key not checked for body",
    file: "kernel/key-hash.ts",
    find: "if (entry.hash === keyHash(draft))",
    replace: 'if (entry.hash !== "")',
  },
  {
    name: "sqlite: cancel ignored while at work",
    file: "stores/sql/change.ts",
    find: "cancelling: true",
    replace: "cancelling: false",
  },
];
