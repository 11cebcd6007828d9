import assert from "node:assert/strict";
import type { EventKind } from "../../features/events/kind.ts";
import type { Outcome } from "../../kernel/shape.ts";
import { attemptsMax, eventNames, fillEvents, resultOf, type EventName } from "./events.ts";
import type { Content } from "./ledgers.ts";
import type { Arrival } from "./node.ts";
import type { EffectLog } from "./schedules.ts";

/** An event, its task, and the task's notifications and question, as the tables have them. */
export interface EventRow {
  readonly uid: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly state: string;
  readonly body: unknown;
  readonly outcome: unknown;
  /** Its attempts that were interrupted. */
  readonly lapsed: number;
}

export const eventContent: Content<EventRow> = {
  fill: fillEvents,
  kinds: ["event", "task", "notification", "question"],
  columns: `uid, kind, parent, state, body, outcome`,
  read(row) {
    const { body, outcome } = row;
    return {
      ...(row as unknown as EventRow), // the columns above
      body: typeof body === "string" ? JSON.parse(body) : body,
      outcome: typeof outcome === "string" ? JSON.parse(outcome) : outcome,
    };
  },
};

/** The database may complete a claim of the killed node: each of its controllers had one claim open at most. */
const claimersMax = 3;

/** Checks that each event has one task in one state, and that each end and question was sent once, in the thread. */
export function checkEvents(rows: readonly EventRow[], { runs, arrivals }: EffectLog): void {
  const of = (kind: string): EventRow[] => rows.filter((row) => row.kind === kind);
  assert.deepEqual(
    of("event")
      .map(({ uid }) => uid)
      .toSorted(),
    eventNames.toSorted(),
  );
  assert.equal(new Set(rows.map(({ uid }) => uid)).size, rows.length, "each id is one record");
  const interrupted = rows.filter(({ lapsed }) => lapsed > 0);
  assert.ok(
    interrupted.every(({ lapsed }) => lapsed === 1),
    "no record was interrupted twice",
  );
  assert.ok(interrupted.length <= claimersMax, `${interrupted.length} were interrupted`);
  for (const name of eventNames) checkEvent(rows, name, runs);
  assert.equal(of("task").length, eventNames.length, "one task for each event");
  for (const message of of("notification")) checkArrived(message, arrivals);
}

function checkEvent(rows: readonly EventRow[], name: EventName, runs: readonly string[]): void {
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
  checkMessages(rows, task, status === "needs_human");
}

/** An interrupted attempt may have run or not; it is repeated while attempts are left. */
function checkRuns({ uid, lapsed }: EventRow, count: number, isFailure: boolean): void {
  const least = isFailure ? attemptsMax - lapsed : 1;
  const most = isFailure ? attemptsMax : 1 + lapsed;
  assert.ok(
    count >= least && count <= most,
    `${uid} ran ${count} times, interrupted ${lapsed} times`,
  );
}

interface MessageBody {
  readonly seedType: string;
  readonly final?: boolean;
  readonly thread?: { readonly of: string };
  readonly relatedQuestionId?: string;
}

/** Checks the first message of a task's thread, and the second: its end, or its only question. */
function checkMessages(rows: readonly EventRow[], task: EventRow, hasQuestion: boolean): void {
  const own = rows.filter(({ parent }) => parent === task.uid);
  const messages = own.filter(({ kind }) => kind === "notification");
  const questions = own.filter(({ kind }) => kind === "question");
  const about = JSON.stringify([task, own]);
  const bodies = messages.map(({ body }) => body as MessageBody);
  const [first, second] = bodies;
  assert.equal(messages.length, 2, about);
  assert.equal(questions.length, Number(hasQuestion), about);
  assert.equal(first?.seedType, "thread_start", about);
  assert.equal(second?.thread?.of, messages[0]?.uid, about);
  assert.equal(second?.final, hasQuestion ? undefined : true, about);
  assert.equal(second?.relatedQuestionId, questions[0]?.uid, about);
  if (hasQuestion) assert.equal(questions[0]?.state, "open", about);
}

function checkArrived({ uid, state, lapsed }: EventRow, arrivals: readonly Arrival[]): void {
  const own = arrivals.filter(({ id }) => id === uid);
  const about = JSON.stringify([uid, state, lapsed, own]);
  assert.equal(state, "delivered", about);
  assert.ok(own.length >= 1 && own.length <= 1 + lapsed, about);
  assert.ok(
    own.slice(1).every(({ maybeRepeat }) => maybeRepeat),
    about,
  );
}
