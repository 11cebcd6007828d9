import type { Mutant } from "./table.ts";

/** Bugs in the SQL, and in what the SQL stores share. */
export const sqliteMutants: readonly Mutant[] = [
  {
    name: "sqlite: an old fence may write",
    file: "stores/sql/row.ts",
    find: "|| row.fence !== fence",
    replace: "",
  },
  {
    name: "sqlite: an end does not release its holds",
    file: "stores/sqlite/rows.ts",
    find: "if (after.endedAt !== null) deleteHolds(after.id);",
    replace: "",
  },
  {
    name: "sqlite: a cancelling record is claimed again",
    file: "stores/sqlite/claim.ts",
    find: "if (row.cancelling) endCancelled",
    replace: "if (row.id < 0) endCancelled",
  },
  {
    name: "sqlite: a claim does not count the attempt",
    file: "stores/sqlite/claim.ts",
    find: "attempt = attempt + 1",
    replace: "attempt = attempt",
  },
  {
    name: "sqlite: a settle accepts a stale revision",
    file: "stores/sqlite/settle.ts",
    find: "if (revision !== row.revision)",
    replace: "if (revision < 0)",
  },
  {
    name: "sqlite: a renewal does not extend the lease",
    file: "stores/sqlite/settle.ts",
    find: "wakeAt: now + unit.leaseMs",
    replace: "wakeAt: row.wakeAt",
  },
  {
    name: "sqlite: a refused unit is not rolled back",
    file: "stores/sqlite/transactions.ts",
    find: "        undo();\n        release();",
    replace: "        release();",
  },
  {
    name: "sqlite: a refused unit without a savepoint is kept",
    file: "stores/sqlite/transactions.ts",
    find: "throw new RunAgain(error.message, { cause: error });",
    replace: "throw error;",
  },
  {
    name: "sqlite: pending writes survive a rollback",
    file: "stores/sqlite/transactions.ts",
    find: "      sql.drop();\n      // SQLite ends",
    replace: "      // SQLite ends",
  },
  {
    name: "sqlite: pending writes survive a refused unit",
    file: "stores/sqlite/transactions.ts",
    find: "      sql.drop();\n      // After",
    replace: "      // After",
  },
  {
    name: "sqlite: a wake under a lease is lost",
    file: "stores/sql/change.ts",
    find: "wokenAt: Math.min(row.wokenAt ?? now, now)",
    replace: "wokenAt: row.wokenAt",
  },
  {
    name: "sqlite: a move makes records due early",
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
    name: "sqlite: a prune deletes too much",
    file: "stores/sqlite/maintenance.ts",
    find: "where ended_at < ?",
    replace: "where ended_at < ? + 1000000",
  },
  {
    name: "sqlite: a record of another owner is found",
    file: "stores/sqlite/rows.ts",
    find: "row === undefined || row.owner !== owner ? undefined",
    replace: "row === undefined ? undefined",
  },
  {
    name: "sqlite: a key matches any body",
    file: "kernel/key-hash.ts",
    find: "if (entry.hash === keyHash(draft))",
    replace: 'if (entry.hash !== "")',
  },
  {
    name: "sqlite: a cancel under a lease is ignored",
    file: "stores/sql/change.ts",
    find: "cancelling: true",
    replace: "cancelling: false",
  },
];
