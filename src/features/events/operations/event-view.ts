import * as z from "zod";
import { type Kind, is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Reader } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Shape } from "../../../kernel/shape.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { type NotificationKind, notificationKind } from "../../notifications/index.ts";
import { type TaskKind, taskKind } from "../../tasks/index.ts";
import type { EventKind } from "../kind.ts";
import { type QuestionKind, questionKind } from "../question.ts";
import { textsOf } from "../texts.ts";

const moment = z.string().describe("a moment in UTC, as ISO 8601");

/** An event in a list: never its payload. */
export const eventLine = z.object({
  id: z.string(),
  name: z.string().describe("its source's own name for it"),
  type: z.string(),
  source: z.string(),
  repo: z.string().nullable(),
  state: z.string().describe("pending, dispatched, completed, failed or cancelled"),
  priority: z.enum(["low", "normal", "high"]),
  handler: z.string().nullable().describe("who has something to do for it"),
  task_id: z.string().nullable().describe("what was made to handle it"),
  reason: z.string().nullable().describe("why nothing is done for it, or not yet; or the failure"),
  at: moment.describe("when it happened"),
  hops: z.number().describe("how many events led to it"),
  created_at: moment,
  ended_at: moment.nullable(),
});

export const eventView = eventLine.extend({
  payload: z.record(z.string(), z.unknown()),
  origin: z.string().nullable().describe("the chat it was heard in"),
  created_by: z.string(),
  next_at: moment.nullable().describe("when it is looked at next; null when it has ended"),
  revision: z.number(),
});
type EventLine = z.infer<typeof eventLine>;
type EventView = z.infer<typeof eventView>;

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

export function shownEvent(record: LedgerRecord<EventKind>): EventView {
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

export function renderEvent(event: EventLine, { language }: Reader): string {
  const texts = textsOf(language);
  const { name, type, handler, reason } = event;
  const state = texts.state(event.state);
  const line = texts.eventIs({ name, type, state, handler });
  return reason === null ? line : `${line}: ${oneLine(reason, 120)}`;
}

type Task = LedgerRecord<TaskKind>;

/** More tasks than this nobody makes of one event, nor reads. */
const tasksMax = 50;
const childrenMax = 20;

/** What was done for an event, the oldest first: its task, what went on after an answer, what was done once more. */
export async function tasksOfEvent(
  book: Book,
  { id, outcome }: Pick<LedgerRecord<EventKind>, "id" | "outcome">,
): Promise<readonly Task[]> {
  const found = new Map<string, Task>();
  // What goes on with an answer follows from the question, and not from the event that brought it.
  const own = await book.get(outcome?.task ?? "");
  if (is(taskKind, own)) found.set(own.id, own);
  const causes = [id, ...found.keys()];
  for (const cause of causes) {
    if (found.size >= tasksMax) break;
    const tasks = await childrenOf(book, taskKind, cause);
    const fresh = tasks.filter((each) => each.body.event !== undefined && !found.has(each.id));
    const questions = cause === id ? [] : await childrenOf(book, questionKind, cause);
    for (const task of fresh) found.set(task.id, task);
    causes.push(...[...fresh, ...questions].map((each) => each.id));
  }
  const inOrder = [...found.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  return inOrder.slice(0, tasksMax);
}

/** What the tasks asked people. */
export async function questionsOf(
  book: Book,
  tasks: readonly Pick<Task, "id">[],
): Promise<readonly LedgerRecord<QuestionKind>[]> {
  const found = [];
  for (const { id } of tasks) found.push(...(await childrenOf(book, questionKind, id)));
  return found;
}

/** What was said because of them, in the order of the tasks. */
export async function messagesOf(
  book: Book,
  tasks: readonly Pick<Task, "id">[],
): Promise<readonly LedgerRecord<NotificationKind>[]> {
  const found = [];
  for (const { id } of tasks) found.push(...(await childrenOf(book, notificationKind, id)));
  return found;
}

async function childrenOf<K extends Shape>(
  book: Book,
  kind: Kind<K>,
  parent: string,
): Promise<readonly LedgerRecord<K>[]> {
  const { records } = await book.list<K>({ kind, parent, limit: childrenMax });
  return records;
}
