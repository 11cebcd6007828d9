import { answerUnit } from "../../features/events/answer.ts";
import { type QuestionKind, questionKind } from "../../features/events/question.ts";
import { notificationKind } from "../../features/notifications/kind.ts";
import { isThread, threadOf } from "../../features/notifications/thread.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { dayOf } from "../../time/zone.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { emit, type EventClient } from "./event-emission.ts";
import { handlerNamed, handlerCapacity } from "./event-handlers.ts";

type Question = LedgerRecord<QuestionKind>;

/** Open ones mostly: to those that are not, an answer comes twice or late. */
async function someQuestion({ book, random }: EventClient): Promise<Question | undefined> {
  const live = chance(random, 0.8);
  const query = { kind: questionKind, live, limit: 20, order: "newest" } as const;
  const { records } = await book.list(query);
  return records[intBelow(random, records.length)];
}

/** The answer and the task that goes on are one unit, as an operation writes them. */
export async function answerDirectly(client: EventClient): Promise<void> {
  const question = await someQuestion(client);
  if (question !== undefined) await answer(client, question);
}

export async function answer(client: EventClient, question: Question): Promise<void> {
  const { book, numbers, owner, clock, random, oracle } = client;
  const handler = handlerNamed(question.body.handler);
  if (handler === undefined) return oracle.reportViolation("a question has a handler", question.id);
  const now = Math.floor(clock.wall());
  const taskId = await numbers.label("task", dayOf(now, "UTC"));
  const text = pick(random, ["yes", "Yes ", "no"]);
  const options = { answer: text, by: owner, now, handler, taskId, capacity: handlerCapacity };
  const unit = answerUnit(question, options);
  if ("refused" in unit) return;
  await book.edit(unit.edit, { append: [unit.resume] });
}

/** Says something where it was asked: an answer, none of the choices, or what nobody waits for. */
export async function answerInThread(client: EventClient): Promise<void> {
  const { book, eventNames, random, clock, owner } = client;
  const question = await someQuestion(client);
  const origin = question && (await threadOfQuestion(book, question));
  if (origin === undefined) return;
  const name = `evt-reply-${owner}-${eventNames.length + 1}`;
  eventNames.push(name);
  await emit(client, {
    name,
    type: "slack.thread.reply",
    source: "slack",
    repo: null,
    payload: { text: pick(random, ["yes", "no", "perhaps"]) },
    at: Math.max(0, Math.floor(clock.wall())),
    origin,
    hops: 0,
  });
}

async function threadOfQuestion(book: Book, { body }: Question): Promise<string | undefined> {
  const { thread } = body.about;
  if (thread === null) return isThread(body.target) ? body.target : undefined;
  const first = await book.get(thread);
  if (!is(notificationKind, first)) return undefined;
  return threadOf(first.body.target, first.outcome?.receipt ?? null);
}
