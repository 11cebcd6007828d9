import type { Mutant } from "./table.ts";

/** Bugs in the promises of schedules: each slot once, one run at a time, counted right. */
export const scheduleMutants: readonly Mutant[] = [
  {
    name: "schedules: the cursor moves without the tasks",
    file: "features/schedules/verdict.ts",
    find: "append: [...rows, ...starts],",
    replace: "append: [],",
  },
  {
    name: "schedules: the tasks are written and the cursor stays",
    file: "features/schedules/verdict.ts",
    find: "const next = moved(record, Math.max(cursor, due.cutAt ?? now), spent);",
    replace: "const next = moved(record, Math.min(cursor, due.cutAt ?? now), spent);",
  },
  {
    name: "schedules: a missed slot has no row",
    file: "features/schedules/verdict.ts",
    find: "append: [...rows, ...starts],",
    replace: 'append: rows.filter((row) => !("ends" in row && row.ends === "missed")),',
  },
  {
    name: "schedules: a run does not hold its name",
    file: "features/schedules/verdict.ts",
    find: "return { ...run, holds: [hold], turns: isQueue",
    replace: "return { ...run, turns: isQueue",
  },
  {
    name: "schedules: a missed slot that runs does not wait for its turn",
    file: "features/schedules/verdict.ts",
    find: 'if (decision.isOneOfMany || body.overlap === "cancel") return { ...run, turns: [runHold(id)] };',
    replace: 'if (decision.isOneOfMany || body.overlap === "cancel") return run;',
  },
  {
    name: "schedules: a deleted schedule runs once more",
    file: "features/schedules/verdict.ts",
    find: '  if (record.cancelling) return { ends: "cancelled" };\n',
    replace: "",
  },
  {
    name: "schedules: half a period late does not count as late",
    file: "features/schedules/misfire.ts",
    find: "if (now - at <= Math.min(periodMs(record, at) / 2, lateMs)) {",
    replace: "if (now - at <= lateMs) {",
  },
  {
    name: "schedules: a pause is ignored",
    file: "features/schedules/misfire.ts",
    find: "? (outcomeOf(record).pausedUntil ?? Infinity) : -Infinity",
    replace: "? -Infinity : -Infinity",
  },
  {
    name: "schedules: a change loses the due slots",
    file: "features/schedules/backlog.ts",
    find: "if (firesBetween(cadence, after, until, 1).fires.length === 0) return {};",
    replace: "return {};",
  },
  {
    name: "schedules: a schedule that ends loses the due slots",
    file: "features/schedules/backlog.ts",
    find: "return { outcome, rows: undecidedRows(record, cursor, { reason, rowsMax }) };",
    replace: "return { outcome, rows: [] };",
  },
  {
    name: "schedules: a slot of a pause is missed instead of skipped",
    file: "features/schedules/slot.ts",
    find: "at < pausedUntil",
    replace: "at === pausedUntil",
  },
  {
    name: "schedules: several runs queue for the current one",
    file: "features/schedules/verdict.ts",
    find: "const hold = isQueue ? queuedHold(id) : runHold(id);",
    replace: "const hold = isQueue ? queuedHold(`${id} ${at}`) : runHold(id);",
  },
  {
    name: "schedules: a slot is skipped without a current run",
    file: "features/schedules/verdict.ts",
    find: "if (seen.held.includes(hold)) return",
    replace: 'if (seen.held.includes(hold) || body.overlap === "skip") return',
  },
  {
    name: "schedules: a day has one run less than it may",
    file: "features/schedules/budget.ts",
    find: "spent.runs >= runsPerDay",
    replace: "spent.runs + 1 >= runsPerDay",
  },
  {
    name: "schedules: an edit sets the cursor back",
    file: "features/schedules/next-fire.ts",
    find: "return Math.max(outcomeOf(record).cursor, now);",
    replace: "return now;",
  },
  {
    name: "schedules: a backfill repeats runs",
    file: "features/schedules/slot.ts",
    find: 'slotTask(record, { at, because: "backfill", key: slotKey(id, at), turns }),',
    replace: 'slotTask(record, { at, because: "backfill", turns }),',
  },
  {
    name: "schedules: a run's end overwrites an edit",
    file: "features/schedules/run-count.ts",
    find: ", ifRevision: schedule.revision } as const;",
    replace: " } as const;",
  },
  {
    name: "schedules: a success does not reset the failures",
    file: "features/schedules/run-count.ts",
    find: '  if (state === "completed") return 0;\n',
    replace: "",
  },
  {
    name: "schedules: each failure is notified",
    file: "features/schedules/run-count.ts",
    find: "const isReached = count === notifyAfter || (count > notifyAfter && !isNotified);",
    replace: "const isReached = count >= notifyAfter;",
  },
  {
    name: "schedules: an interrupted run runs again",
    file: "features/tasks/capacity.ts",
    find: "if (body.slot !== undefined && body.event === undefined) return !body.slot.rerun;",
    replace: "if (body.slot !== undefined && body.event === undefined) return false;",
  },
];
