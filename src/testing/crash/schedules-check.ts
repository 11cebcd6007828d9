import assert from "node:assert/strict";
import type { ScheduleKind } from "../../features/schedules/kind.ts";
import type { TaskKind } from "../../features/tasks/kind.ts";
import type { Outcome } from "../../kernel/shape.ts";
import type { Content } from "./ledgers.ts";
import type { Arrival } from "./node.ts";
import { fillSchedules, slotsOf, outputOf, type EffectLog } from "./schedules.ts";

/** A schedule, a task or a notification, as the tables have it. */
export interface RunRow {
  readonly uid: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly state: string;
  readonly name: string | null;
  readonly slot: number | null;
  readonly message: string | null;
  readonly outcome: unknown;
  /** Its attempts that were interrupted. */
  readonly lapsed: number;
  /** Bytes of output. */
  readonly written: number;
}

export const scheduleContent: Content<RunRow> = {
  fill: fillSchedules,
  kinds: ["schedule", "task", "notification"],
  columns: `uid, kind, parent, state, coalesce(body -> 'slot' ->> 'name', body ->> 'name') as name,
    body -> 'slot' ->> 'at' as slot, body ->> 'message' as message, outcome`,
  read(row) {
    const { outcome, slot } = row;
    return {
      ...(row as unknown as RunRow), // the columns above
      slot: slot === null ? null : Number(slot),
      outcome: typeof outcome === "string" ? JSON.parse(outcome) : outcome,
    };
  },
};

/** The database may complete a claim of the killed node: each of its controllers had one claim open at most. */
const claimersMax = 3;

/** Checks that every slot has one task, that interrupted tasks say so, and that all counts and notices agree. */
export function checkSchedules(rows: readonly RunRow[], { runs, arrivals }: EffectLog): void {
  const of = (kind: string): RunRow[] => rows.filter((row) => row.kind === kind);
  const tasks = of("task");
  const found = tasks.map(({ name, slot }) => `${name} ${slot}`);
  const expected = Object.entries(slotsOf).flatMap(([name, slots]) =>
    slots.map((slot) => `${name} ${slot}`),
  );
  assert.deepEqual(found.toSorted(), expected.toSorted());
  const interrupted = rows.filter(({ lapsed }) => lapsed > 0);
  assert.ok(
    interrupted.every(({ lapsed }) => lapsed === 1),
    "no record was interrupted twice",
  );
  assert.ok(interrupted.length <= claimersMax, `${interrupted.length} were interrupted`);
  for (const task of tasks) checkTask(task, runs.filter((id) => id === task.uid).length);
  assert.deepEqual(
    runs.filter((id) => !tasks.some(({ uid }) => uid === id)),
    [],
  );
  const notifications = of("notification");
  for (const schedule of of("schedule")) {
    const own = tasks.filter(({ parent }) => parent === schedule.uid);
    checkSchedule(schedule, own, notifications);
  }
  assert.ok(notifications.every(({ parent }) => tasks.some(({ uid }) => uid === parent)));
  checkArrivals(notifications, arrivals);
}

/** The end of a run that is not interrupted. */
const endOf: Readonly<Record<string, string>> = {
  works: "completed",
  fails: "failed",
  "is made again": "completed",
};

function checkTask(task: RunRow, count: number): void {
  const { name, slot, state, lapsed, written } = task;
  const about = JSON.stringify([task, count]);
  const { outputBytes, finishedAt } = task.outcome as Outcome<TaskKind>;
  const whole = Buffer.byteLength(outputOf(name ?? "", slot ?? NaN));
  assert.equal(outputBytes, written, about);
  assert.ok(finishedAt !== null, about);
  const isInterrupted = lapsed === 1 && name !== "is made again";
  assert.equal(state, isInterrupted ? "interrupted" : endOf[name ?? ""], about);
  if (isInterrupted) {
    assert.ok(count <= 1 && (written === 0 || written === whole), about);
  } else if (lapsed === 0) {
    assert.ok(count === 1 && written === whole, about);
  } else assert.ok(count >= 1 && count <= 2 && written >= whole, about);
}

function checkSchedule(
  schedule: RunRow,
  runs: readonly RunRow[],
  notifications: readonly RunRow[],
): void {
  const { name, state } = schedule;
  const about = JSON.stringify([schedule, runs]);
  const ordered = runs.toSorted((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
  const failures = ordered.reduce((sum, run) => (run.state === "completed" ? 0 : sum + 1), 0);
  const seen = schedule.outcome as Outcome<ScheduleKind>;
  assert.equal(seen.consecutiveFailures, failures, about);
  assert.equal(seen.lastRunState, ordered.at(-1)?.state, about);
  assert.equal(state, name === "fails" ? "disabled" : "completed", about);
  const own = notifications.filter(({ parent }) => runs.some(({ uid }) => uid === parent));
  const messages = own.map(({ message }) => message);
  if (name === "fails") assert.deepEqual(messages, noticesOf(ordered), about);
  else {
    const completed = ordered.filter((run) => run.state === "completed");
    const expected = completed.map(({ slot }) => outputOf(name ?? "", slot ?? NaN));
    // A run that was repeated wrote its output again, under a heading.
    assert.equal(messages.length, expected.length, about);
    for (const [index, text] of expected.entries())
      assert.ok(messages[index]?.includes(text.trimEnd()), about);
  }
}

function noticesOf([first]: readonly RunRow[]): readonly string[] {
  const error =
    first?.state === "interrupted" ? "the node went away in the middle of it" : "planned failure";
  return [
    `❌ Scheduled task 'fails' has failed 1 times in a row. Latest error: ${error}`,
    "⛔ Scheduled task 'fails' was disabled after 2 consecutive failures.",
  ];
}

/** Checks that all notifications arrived; one that arrived twice was interrupted and marked as a repeat. */
function checkArrivals(notifications: readonly RunRow[], arrivals: readonly Arrival[]): void {
  for (const { uid, state, lapsed, message } of notifications) {
    const own = arrivals.filter(({ id }) => id === uid);
    const about = JSON.stringify([message, state, lapsed, own]);
    assert.equal(state, "delivered", about);
    assert.ok(own.length >= 1 && own.length <= 1 + lapsed, about);
    assert.ok(
      own.slice(1).every(({ maybeRepeat }) => maybeRepeat),
      about,
    );
  }
  assert.deepEqual(
    arrivals.filter(({ id }) => !notifications.some(({ uid }) => uid === id)),
    [],
  );
}
