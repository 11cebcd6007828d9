import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { type Kind, is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Shape } from "../../../kernel/shape.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { notificationKind, sentView, shownSent } from "../../notifications/index.ts";
import { runLine, runLineOf, runOutlookOf, type TaskKind, taskKind } from "../../tasks/index.ts";
import type { EventKind } from "../kind.ts";
import { questionKind } from "../question.ts";

const moment = z.string().describe("UTC time in ISO 8601");

/** An event in a list: never its payload. */
export const eventLine = z.object({
  id: z.string(),
  name: z.string().describe("the name that its source gave it"),
  type: z.string(),
  source: z.string(),
  repo: z.string().nullable(),
  state: z.string().describe("pending, dispatched, completed, failed or cancelled"),
  discarded: z
    .boolean()
    .describe("true: it is completed, and nothing handled it; the reason says why"),
  priority: z.enum(["low", "normal", "high"]),
  handler: z.string().nullable().describe("the handler that it went to"),
  task_id: z.string().nullable().describe("the task that handles it"),
  reason: z.string().nullable().describe("why it waits, was not handled, or failed"),
  at: moment.describe("when it happened"),
  hops: z.number().describe("the number of events that led to it"),
  created_at: moment,
  ended_at: moment.nullable(),
});

export const eventView = eventLine.extend({
  payload: z.record(z.string(), z.unknown()),
  origin: z.string().nullable().describe("the chat that it came from"),
  created_by: z.string(),
  next_at: moment.nullable().describe("when it is checked next; null when it has ended"),
  revision: z.number(),
});
type EventLine = z.infer<typeof eventLine>;

export function eventLineOf(record: LedgerRecord<EventKind>): EventLine {
  const { id, body, outcome, state, priority, createdAt, endedAt } = record;
  const { name, type, source, repo, at, hops } = body;
  return {
    id,
    name,
    type,
    source,
    repo,
    state,
    discarded: state === "completed" && (outcome?.task ?? null) === null,
    priority,
    handler: outcome?.handler ?? null,
    task_id: outcome?.task ?? null,
    reason: outcome?.reason ?? null,
    at: isoOf(at),
    hops,
    created_at: isoOf(createdAt),
    ended_at: isoOr(endedAt),
  };
}

/** Its state as people read it. */
export function eventState({ state, discarded }: Pick<EventLine, "state" | "discarded">): string {
  return discarded ? "discarded" : state;
}

export function shownEvent(record: LedgerRecord<EventKind>): z.infer<typeof eventView> {
  const { body, by, wakeAt, revision } = record;
  return {
    ...eventLineOf(record),
    payload: { ...body.payload },
    origin: body.origin,
    created_by: by,
    next_at: isoOr(wakeAt),
    revision,
  };
}

type Task = LedgerRecord<TaskKind>;

/** The most tasks of one event that are read, and the most children of one record. */
const tasksMax = 50;
const childrenMax = 20;

/** The tasks of an event, the oldest first: its own, those resumed after an answer, and those run again. */
export async function tasksOfEvent(
  book: Book,
  { id, outcome }: Pick<LedgerRecord<EventKind>, "id" | "outcome">,
): Promise<readonly Task[]> {
  const found = new Map<string, Task>();
  // A task that resumes with an answer is a child of the question, not of the event that brought the answer.
  const own = await book.get(outcome?.task ?? "");
  if (is(taskKind, own)) found.set(own.id, own);
  const parents = [id, ...found.keys()];
  for (const parent of parents) {
    if (found.size >= tasksMax) break;
    const tasks = await childrenOf(book, taskKind, parent);
    const fresh = tasks.filter((each) => each.body.event !== undefined && !found.has(each.id));
    const questions = parent === id ? [] : await childrenOf(book, questionKind, parent);
    for (const task of fresh) found.set(task.id, task);
    parents.push(...[...fresh, ...questions].map((each) => each.id));
  }
  const inOrder = [...found.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  return inOrder.slice(0, tasksMax);
}

export const workFields = {
  tasks: z.array(runLine).describe("its tasks, the oldest first"),
  messages: z.array(sentView).describe("the messages of its tasks"),
};

/** The tasks and their messages, as `workFields` has them. */
export async function shownWork(tasks: readonly Task[], context: Context) {
  const book = bookOf(context);
  const outlook = await runOutlookOf(context);
  const messages = await childrenOfTasks(book, notificationKind, tasks);
  return {
    tasks: await Promise.all(tasks.map((task) => runLineOf(book, task, outlook))),
    messages: messages.map(shownSent),
  };
}

/** The children of one kind, in the order of the tasks. */
export async function childrenOfTasks<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  tasks: readonly Pick<Task, "id">[],
): Promise<readonly LedgerRecord<K>[]> {
  return (await Promise.all(tasks.map(({ id }) => childrenOf(book, kind, id)))).flat();
}

async function childrenOf<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  parent: string,
): Promise<readonly LedgerRecord<K>[]> {
  return (await book.list<K>({ kind, parent, limit: childrenMax })).records;
}
