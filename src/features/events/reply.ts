import { recordOf } from "../../kernel/book.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Language } from "../../platform/language.ts";
import { quote } from "../../platform/text.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
  isThread,
  threadOf,
} from "../notifications/index.ts";
import { answerUnit, type Refusal } from "./answer.ts";
import { dispatchedTo, endUnhandled, type Dispatch } from "./dispatch.ts";
import type { Handler } from "./handler.ts";
import type { EventKind } from "./kind.ts";
import { questionsIn, type Question } from "./question.ts";
import { textsOf } from "./texts.ts";

type Event = LedgerRecord<EventKind>;

/** Whether the event is a message in a thread, which may answer the question there. */
export function isReply({ body }: Pick<Event, "body">): boolean {
  return body.type.endsWith(".thread.reply") && body.origin !== null;
}

export interface Reply extends Pick<Dispatch, "taskId" | "messageId" | "capacity"> {
  readonly question: Question;
  /** The handler of the question; undefined: it is not configured any more. */
  readonly handler: Handler | undefined;
  readonly language: Language;
}

/** Writes the answer and the task that resumes with it, or a message that says why it is refused. */
export function decideReply(event: Event, reply: Reply, { now }: Facts): Verdict<EventKind> {
  const { question, handler, taskId, capacity, language } = reply;
  const refuse = (text: string, reason: string): Verdict<EventKind> =>
    endUnhandled(event, "completed", reason, {
      append: [refusalMessage(event, text, reply, now)],
    });
  if (handler === undefined) {
    const { handler: name } = question.body;
    const text = textsOf(language).answers.nobody(name);
    return refuse(text, `discarded: there is no handler ${name}`);
  }
  const { id, body, by } = event;
  const answer = answerIn(event, question.id);
  const source = { id, name: body.name, hops: body.hops };
  const facts = { answer, by, now, handler, taskId, capacity, event: source };
  const unit = answerUnit(question, facts);
  if ("refused" in unit) {
    const text = refusalText(question, unit.refused, language);
    return refuse(text, `not an answer to ${question.id}: ${unit.refused}`);
  }
  return {
    ...dispatchedTo({ handler: handler.name, task: taskId }, now),
    consequences: { append: [unit.resume], edit: [unit.edit] },
  };
}

/** Why the answer is refused, for the person who gave it. */
export function refusalText({ body, outcome }: Question, refused: Refusal, language: Language) {
  const texts = textsOf(language).answers;
  switch (refused) {
    case "answered":
      return texts.answered({ answer: outcome?.answer ?? "" });
    case "late":
      return texts.late;
    case "not yours":
      return texts.notYours;
    case "no choice":
      return texts.noChoice(body.choices.map(quote).join(", "));
  }
}

function refusalMessage(
  { body: { origin } }: Event,
  message: string,
  { messageId, question }: Reply,
  now: number,
): DraftOf<NotificationKind> {
  const draft = makeNotification({
    message,
    at: now,
    atText: "now",
    target: origin ?? question.body.target,
    origin,
    type: "run",
    seedType: "thread_reply",
    relatedTaskId: question.body.task,
    relatedQuestionId: question.id,
  });
  return { ...draft, id: messageId };
}

/** The answer command, written into the thread instead of a shell. */
const command = /^\/?(?:daybook\s+)?(?:(?:run|question)\s+)?answer\s+(\S{3,})\s+(?=\S)/i;

function answerIn({ body }: Event, questionId: string): string {
  const { text } = body.payload;
  const answer = typeof text === "string" ? text.trim() : "";
  const [typed = "", id = ""] = command.exec(answer) ?? [];
  const isCommand = id !== "" && questionId.endsWith(id.toLowerCase());
  return isCommand ? answer.slice(typed.length) : answer;
}

/** The newest question that was asked in a thread. */
export async function questionIn(
  book: Book,
  thread: string,
  isOpen: boolean,
): Promise<Question | undefined> {
  for await (const question of questionsIn(book, isOpen)) {
    if (thread === (await threadTargetOf(book, question))) return question;
  }
  return undefined;
}

/** The thread that the question was asked in, as a target. */
async function threadTargetOf(book: Book, { body }: Question): Promise<string | undefined> {
  const { thread } = body.about;
  if (thread === null) return isThread(body.target) ? body.target : undefined;
  const first = await recordOf(book, notificationKind, thread);
  if (first?.state !== "delivered") return undefined;
  return threadOf(first.body.target, first.outcome?.receipt ?? null);
}
