import type { Mutant } from "./table.ts";

/** Bugs in the readable model. */
export const memoryMutants: readonly Mutant[] = [
  {
    name: "memory: fence dropped",
    file: "stores/memory/model.ts",
    find: "row && isClaimed(row) && row.fence === fence ? row",
    replace: "row && isClaimed(row) ? row",
  },
  {
    name: "memory: hold not freed on end",
    file: "stores/memory/row.ts",
    find: "    holds: [],\n    lease: null,",
    replace: "    lease: null,",
  },
  {
    name: "memory: attempt counted twice",
    file: "stores/memory/claim.ts",
    find: "attempt: row.attempt + 1",
    replace: "attempt: row.attempt + 2",
  },
  {
    name: "memory: attempt not counted on takeover",
    file: "stores/memory/claim.ts",
    find: "attempt: row.attempt + 1",
    replace: "attempt: row.attempt + (row.lapses > 0 ? 0 : 1)",
  },
  {
    name: "memory: cancelling record handed out again",
    file: "stores/memory/claim.ts",
    find: "if (!row.cancelling) return [lease(",
    replace: "if (row.seq > 0) return [lease(",
  },
  {
    name: "memory: cancel ignored while at work",
    file: "stores/memory/writes.ts",
    find: "cancelling: true, revision",
    replace: "cancelling: false, revision",
  },
  {
    name: "memory: stale revision accepted by edit",
    file: "kernel/ledger-errors.ts",
    find: "(edit.ifRevision ?? revision) !== revision",
    replace: "(edit.ifRevision ?? revision) < 0",
  },
  {
    name: "memory: stale revision accepted by settle",
    file: "stores/memory/settle.ts",
    find: "if (revision !== row.revision)",
    replace: "if (revision < 0)",
  },
  {
    name: "memory: lease not extended by keep",
    file: "stores/memory/settle.ts",
    find: "wakeAt: model.now + leaseMs",
    replace: "wakeAt: row.wakeAt",
  },
  {
    name: "memory: key not checked for body",
    file: "stores/memory/append.ts",
    find: "entry.hash !== keyHash(draft)",
    replace: 'entry.hash === ""',
  },
  {
    name: "memory: consequences written outside the unit",
    file: "stores/memory/settle.ts",
    find: "return unit(model, () => settleOne(model, each));",
    replace: "return settleOne(model, each);",
  },
  {
    name: "memory: woken flag lost",
    file: "stores/memory/writes.ts",
    find: "wokenAt: Math.min(now, row.wokenAt ?? now)",
    replace: "wokenAt: row.wokenAt",
  },
  {
    name: "memory: move makes rows early",
    file: "stores/memory/maintenance.ts",
    find: "Math.max(to, row.readyAt ?? to)",
    replace: "to",
  },
  {
    name: "memory: fresh start forgets the fence",
    file: "stores/memory/settle.ts",
    find: "{ attempt: 0, lapses: 0 }",
    replace: "{ attempt: 0, lapses: 0, fence: 0 }",
  },
  {
    name: "memory: lapse not counted",
    file: "stores/memory/model.ts",
    find: "lapses: row.lapses + 1",
    replace: "lapses: row.lapses",
  },
  {
    name: "memory: another owner's record is found",
    file: "stores/memory/model.ts",
    find: "row?.owner === owner ? row : undefined",
    replace: "row",
  },
  {
    name: "memory: given back counts as an attempt",
    file: "stores/memory/settle.ts",
    find: "attempt: row.attempt - 1",
    replace: "attempt: row.attempt",
  },
  {
    name: "memory: cancelled under a lease",
    file: "stores/memory/writes.ts",
    find: "if (!isLeased(row, model.now))",
    replace: "if (row.seq > 0)",
  },
  {
    name: "memory: output written anywhere",
    file: "stores/memory/output.ts",
    find: "if (offset !== size)",
    replace: "if (offset < 0)",
  },
];
