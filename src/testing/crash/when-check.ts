import assert from "node:assert/strict";
import type { EventKind } from "../../features/events/kind.ts";
import type { Outcome } from "../../kernel/shape.ts";
import type { Content } from "./books.ts";
import type { Arrival } from "./node.ts";
import type { Notes } from "./runs.ts";
import { attemptsMax, eventNames, fillEvents, resultOf, type EventName } from "./when.ts";

/** An event, its task, what that says or what it asks, as somebody finds it who knows only the tables. */
export interface WhenRow {
  readonly uid: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly state: string;
  readonly body: unknown;
  readonly outcome: unknown;
  /** How many of its attempts were cut off. */
  readonly lapsed: number;
}

export const handled: Content<WhenRow> = {
  fill: fillEvents,
  kinds: ["event", "task", "notification", "question"],
  columns: `uid, kind, parent, state, body, outcome`,
  read(row) {
    const { body, outcome } = row;
    return {
      ...(row as unknown as WhenRow), // the columns above
      body: typeof body === "string" ? JSON.parse(body) : body,
      outcome: typeof outcome === "string" ? JSON.parse(outcome) : outcome,
    };
  },
};

/** A database may carry out what the dead one had asked: each who looks for work in it has asked once at most. */
const askers = 3;

/** After a death: one task for each event, in one state; each end and each question told once, in the thread. */
export function checkWhen(rows: readonly WhenRow[], { runs, arrivals }: Notes): void {
  const of = (kind: string): WhenRow[] => rows.filter((row) => row.kind === kind);
  assert.deepEqual(
    of("event")
      .map(({ uid }) => uid)
      .toSorted(),
    eventNames.toSorted(),
  );
  assert.equal(new Set(rows.map(({ uid }) => uid)).size, rows.length, "a name is one record's");
  const cutOff = rows.filter(({ lapsed }) => lapsed > 0);
  assert.ok(
    cutOff.every(({ lapsed }) => lapsed === 1),
    "one died once",
  );
  assert.ok(cutOff.length <= askers, `${cutOff.length} were cut off`);
  for (const name of eventNames) checkEvent(rows, name, runs);
  assert.equal(of("task").length, eventNames.length, "one task for each event");
  for (const message of of("notification")) checkArrived(message, arrivals);
}

function checkEvent(rows: readonly WhenRow[], name: EventName, runs: readonly string[]): void {
  const event = rows.find(({ uid }) => uid === name);
  const [task, ...more] = rows.filter(({ kind, parent }) => kind === "task" && parent === name);
  const about = JSON.stringify([event, task]);
  assert.ok(event !== undefined && task !== undefined && more.length === 0, about);
  const { status } = resultOf[name];
  const isFailure = status === "failed";
  assert.equal(event.state, isFailure ? "failed" : "completed", about);
  assert.equal((event.outcome as Outcome<EventKind>).task, task.uid, about);
  const ends = isFailure && task.lapsed > 0 ? ["failed", "interrupted"] : ["failed"];
  assert.ok((isFailure ? ends : ["completed"]).includes(task.state), about);
  const { result } = task.outcome as { result: { status: string; task_id: string } };
  assert.equal(result.task_id, task.uid, about);
  if (task.state !== "interrupted") assert.equal(result.status, status, about);
  checkRuns(task, runs.filter((id) => id === task.uid).length, isFailure);
  checkSaid(rows, task, status === "needs_human");
}

/** What was cut off may have run or not; then it is tried again, as long as it may be. */
function checkRuns({ uid, lapsed }: WhenRow, count: number, isFailure: boolean): void {
  const least = isFailure ? attemptsMax - lapsed : 1;
  const most = isFailure ? attemptsMax : 1 + lapsed;
  assert.ok(count >= least && count <= most, `${uid} ran ${count} times, cut off ${lapsed} times`);
}

interface Said {
  readonly seedType: string;
  readonly final?: boolean;
  readonly thread?: { readonly of: string };
  readonly relatedQuestionId?: string;
}

/** What begins its thread, and one more message in it: its end, or its only question. */
function checkSaid(rows: readonly WhenRow[], task: WhenRow, isAsking: boolean): void {
  const own = rows.filter(({ parent }) => parent === task.uid);
  const messages = own.filter(({ kind }) => kind === "notification");
  const questions = own.filter(({ kind }) => kind === "question");
  const about = JSON.stringify([task, own]);
  const bodies = messages.map(({ body }) => body as Said);
  const [first, second] = bodies;
  assert.equal(messages.length, 2, about);
  assert.equal(questions.length, Number(isAsking), about);
  assert.equal(first?.seedType, "thread_start", about);
  assert.equal(second?.thread?.of, messages[0]?.uid, about);
  assert.equal(second?.final, isAsking ? undefined : true, about);
  assert.equal(second?.relatedQuestionId, questions[0]?.uid, about);
  if (isAsking) assert.equal(questions[0]?.state, "open", about);
}

function checkArrived({ uid, state, lapsed }: WhenRow, arrivals: readonly Arrival[]): void {
  const own = arrivals.filter(({ id }) => id === uid);
  const about = JSON.stringify([uid, state, lapsed, own]);
  assert.equal(state, "delivered", about);
  assert.ok(own.length >= 1 && own.length <= 1 + lapsed, about);
  assert.ok(
    own.slice(1).every(({ maybeRepeat }) => maybeRepeat),
    about,
  );
}
