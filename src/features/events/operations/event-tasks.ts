import { type Kind, is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Shape } from "../../../kernel/shape.ts";
import { type NotificationKind, notificationKind } from "../../notifications/kind.ts";
import { type TaskKind, taskKind } from "../../tasks/kind.ts";
import type { EventKind } from "../kind.ts";
import { type QuestionKind, questionKind } from "../question.ts";

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
