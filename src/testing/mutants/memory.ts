import type { Mutant } from "./table.ts";

/** Bugs in the readable model. */
export const memoryMutants: readonly Mutant[] = [
  {
    name: "memory: an old fence may write",
    file: "stores/memory/model.ts",
    find: "row && isClaimed(row) && row.fence === fence ? row",
    replace: "row && isClaimed(row) ? row",
  },
  {
    name: "memory: an end does not release its holds",
    file: "stores/memory/row.ts",
    find: "    holds: [],\n    lease: null,",
    replace: "    lease: null,",
  },
  {
    name: "memory: a claim counts as two attempts",
    file: "stores/memory/claim.ts",
    find: "attempt: row.attempt + 1",
    replace: "attempt: row.attempt + 2",
  },
  {
    name: "memory: a claim after a lapsed lease is not counted",
    file: "stores/memory/claim.ts",
    find: "attempt: row.attempt + 1",
    replace: "attempt: row.attempt + (row.lapses > 0 ? 0 : 1)",
  },
  {
    name: "memory: a cancelling record is claimed again",
    file: "stores/memory/claim.ts",
    find: "if (!row.cancelling) return [lease(",
    replace: "if (row.seq > 0) return [lease(",
  },
  {
    name: "memory: a cancel under a lease is ignored",
    file: "stores/memory/writes.ts",
    find: "cancelling: true, revision",
    replace: "cancelling: false, revision",
  },
  {
    name: "memory: an edit accepts a stale revision",
    file: "kernel/ledger-errors.ts",
    find: "(edit.ifRevision ?? revision) !== revision",
    replace: "(edit.ifRevision ?? revision) < 0",
  },
  {
    name: "memory: a settle accepts a stale revision",
    file: "stores/memory/settle.ts",
    find: "if (revision !== row.revision)",
    replace: "if (revision < 0)",
  },
  {
    name: "memory: a renewal does not extend the lease",
    file: "stores/memory/settle.ts",
    find: "wakeAt: model.now + leaseMs",
    replace: "wakeAt: row.wakeAt",
  },
  {
    name: "memory: a key matches any body",
    file: "stores/memory/append.ts",
    find: "entry.hash !== keyHash(draft)",
    replace: 'entry.hash === ""',
  },
  {
    name: "memory: consequences are written outside the unit",
    file: "stores/memory/settle.ts",
    find: "return unit(model, () => settleOne(model, each));",
    replace: "return settleOne(model, each);",
  },
  {
    name: "memory: a wake under a lease is lost",
    file: "stores/memory/writes.ts",
    find: "wokenAt: Math.min(now, row.wokenAt ?? now)",
    replace: "wokenAt: row.wokenAt",
  },
  {
    name: "memory: a move makes records due early",
    file: "stores/memory/maintenance.ts",
    find: "Math.max(to, row.readyAt ?? to)",
    replace: "to",
  },
  {
    name: "memory: a fresh start resets the fence",
    file: "stores/memory/settle.ts",
    find: "{ attempt: 0, lapses: 0 }",
    replace: "{ attempt: 0, lapses: 0, fence: 0 }",
  },
  {
    name: "memory: a lapsed lease is not counted",
    file: "stores/memory/model.ts",
    find: "lapses: row.lapses + 1",
    replace: "lapses: row.lapses",
  },
  {
    name: "memory: a record of another owner is found",
    file: "stores/memory/model.ts",
    find: "row?.owner === owner ? row : undefined",
    replace: "row",
  },
  {
    name: "memory: an unstarted claim counts as an attempt",
    file: "stores/memory/settle.ts",
    find: "attempt: row.attempt - 1",
    replace: "attempt: row.attempt",
  },
  {
    name: "memory: a leased record is cancelled at once",
    file: "stores/memory/writes.ts",
    find: "if (!isLeased(row, model.now))",
    replace: "if (row.seq > 0)",
  },
  {
    name: "memory: output is written at any offset",
    file: "stores/memory/output.ts",
    find: "if (offset !== size)",
    replace: "if (offset < 0)",
  },
];
