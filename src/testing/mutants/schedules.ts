import type { Mutant } from "./table.ts";

/** Bugs in what is promised of schedules: each slot once, one run at a time, counted right. */
export const scheduleMutants: readonly Mutant[] = [
  {
    name: "again: the cursor moves without the tasks",
    file: "features/schedules/verdict.ts",
    find: "append: [...rows, ...starts],",
    replace: "append: [],",
  },
  {
    name: "again: the tasks are written and the cursor stays",
    file: "features/schedules/verdict.ts",
    find: "const left = leave(record, Math.max(cursor, came.cutAt ?? now), spent);",
    replace: "const left = leave(record, Math.min(cursor, came.cutAt ?? now), spent);",
  },
  {
    name: "again: what was missed has no row",
    file: "features/schedules/verdict.ts",
    find: "append: [...rows, ...starts],",
    replace: 'append: rows.filter((row) => !("ends" in row && row.ends === "missed")),',
  },
  {
    name: "again: a run does not hold its name",
    file: "features/schedules/verdict.ts",
    find: "return { ...run, holds: [hold], ...(isQueue",
    replace: "return { ...run, ...(isQueue",
  },
  {
    name: "again: what is made up for does not wait for its turn",
    file: "features/schedules/verdict.ts",
    find: 'if (fate.isOneOfMany || body.overlap === "cancel") return { ...run, turns: [runHold(id)] };',
    replace: 'if (fate.isOneOfMany || body.overlap === "cancel") return run;',
  },
  {
    name: "again: what is being deleted runs once more",
    file: "features/schedules/verdict.ts",
    find: '  if (record.cancelling) return { ends: "cancelled" };\n',
    replace: "",
  },
  {
    name: "again: half a period late does not count as late",
    file: "features/schedules/misfire.ts",
    find: "if (now - at <= Math.min(periodMs(record, at) / 2, lateMs)) {",
    replace: "if (now - at <= lateMs) {",
  },
  {
    name: "again: a pause is ignored",
    file: "features/schedules/misfire.ts",
    find: "? (outcomeOf(record).pausedUntil ?? Infinity) : -Infinity",
    replace: "? -Infinity : -Infinity",
  },
  {
    name: "again: a change loses what came before it",
    file: "features/schedules/backlog.ts",
    find: "if (firesBetween(cadence, after, until, 1).fires.length === 0) return {};",
    replace: "return {};",
  },
  {
    name: "again: a schedule that ends loses what came before",
    file: "features/schedules/backlog.ts",
    find: "return { outcome, rows: rowsLeft(record, cursor, { words, rowsMax }) };",
    replace: "return { outcome, rows: [] };",
  },
  {
    name: "again: what came while it was paused is said to be missed",
    file: "features/schedules/slot.ts",
    find: "at < pausedUntil",
    replace: "at === pausedUntil",
  },
  {
    name: "again: many wait for the one at work",
    file: "features/schedules/verdict.ts",
    find: "const hold = isQueue ? queuedHold(id) : runHold(id);",
    replace: "const hold = isQueue ? queuedHold(`${id} ${at}`) : runHold(id);",
  },
  {
    name: "again: what nobody holds up is skipped",
    file: "features/schedules/verdict.ts",
    find: "if (seen.held.includes(hold)) return",
    replace: 'if (seen.held.includes(hold) || body.overlap === "skip") return',
  },
  {
    name: "again: a day has one run less than it may",
    file: "features/schedules/budget.ts",
    find: "spent.runs >= runsPerDay",
    replace: "spent.runs + 1 >= runsPerDay",
  },
  {
    name: "again: an edit sets the cursor back",
    file: "features/schedules/next-fire.ts",
    find: "return Math.max(outcomeOf(record).cursor, now);",
    replace: "return now;",
  },
  {
    name: "again: a backfill runs what has run",
    file: "features/schedules/slot.ts",
    find: 'slotTask(record, { at, because: "backfill", key: slotKey(id, at), ...turns }),',
    replace: 'slotTask(record, { at, because: "backfill", ...turns }),',
  },
  {
    name: "again: a run's end overwrites what was asked meanwhile",
    file: "features/schedules/run-count.ts",
    find: ", ifRevision: schedule.revision } as const;",
    replace: " } as const;",
  },
  {
    name: "again: a success does not set the failures back",
    file: "features/schedules/run-count.ts",
    find: '  if (state === "completed") return 0;\n',
    replace: "",
  },
  {
    name: "again: failures are told each time",
    file: "features/schedules/run-count.ts",
    find: "const isReached = count === notifyAfter || (count > notifyAfter && !isTold);",
    replace: "const isReached = count >= notifyAfter;",
  },
  {
    name: "again: a run that was cut off is made again",
    file: "features/tasks/capacity.ts",
    find: "if (body.slot !== undefined && body.event === undefined) return !body.slot.rerun;",
    replace: "if (body.slot !== undefined && body.event === undefined) return false;",
  },
];
