import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
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
import { answered, type Refusal } from "./answer.ts";
import { endsUnhandled, goesTo } from "./dispatch.ts";
import type { Handler } from "./handler.ts";
import type { EventKind } from "./kind.ts";
import { type QuestionKind, questionKind } from "./question.ts";
import { textsOf } from "./texts.ts";

type Event = LedgerRecord<EventKind>;
type Question = LedgerRecord<QuestionKind>;

/** Something that was said in a thread, which may be the answer to what was asked there. */
export function isReply({ body }: Pick<Event, "body">): boolean {
  return body.type.endsWith(".thread.reply") && body.origin !== null;
}

export interface Reply {
  readonly question: Question;
  /** Who asked; undefined: it is not set up any more. */
  readonly handler: Handler | undefined;
  readonly taskId: string;
  readonly messageId: string;
  readonly capacity: number | null;
  readonly language: Language;
}

/** The answer is taken and a task goes on with it; or whoever said it is told why not. One unit. */
export function replies(event: Event, reply: Reply, { now }: Facts): Verdict<EventKind> {
  const { question, handler, taskId, capacity } = reply;
  if (handler === undefined) {
    const words = textsOf(reply.language).answers.nobody(question.body.handler);
    const reason = `discarded: no handler is called ${question.body.handler}`;
    return endsUnhandled(event, "completed", reason, {
      append: [refusalMessage(event, words, reply, now)],
    });
  }
  const { id, body, by } = event;
  const answer = answerIn(event, question.id);
  const brings = { id, name: body.name, hops: body.hops };
  const answering = { answer, by, now, handler, taskId, capacity, event: brings };
  const unit = answered(question, answering);
  if ("refused" in unit) {
    const words = refusalWords(question, unit.refused, reply.language);
    const reason = `no answer to ${question.id}: ${unit.refused}`;
    return endsUnhandled(event, "completed", reason, {
      append: [refusalMessage(event, words, reply, now)],
    });
  }
  return {
    ...goesTo({ handler: handler.name, task: taskId }, now),
    consequences: { append: [unit.resume], edit: [unit.edit] },
  };
}

/** Why an answer is not taken, for whoever gave it. */
export function refusalWords({ body, outcome }: Question, refused: Refusal, language: Language) {
  const words = textsOf(language).answers;
  switch (refused) {
    case "answered":
      return words.answered({ answer: outcome?.answer ?? "" });
    case "late":
      return words.late;
    case "not yours":
      return words.notYours;
    case "no choice":
      return words.noChoice(body.choices.map(quote).join(", "));
  }
}

function refusalMessage(
  { body }: Event,
  message: string,
  { messageId, question }: Reply,
  now: number,
): DraftOf<NotificationKind> {
  const target = body.origin ?? question.body.target;
  const about = { relatedTaskId: question.body.task, relatedQuestionId: question.id } as const;
  const draft = makeNotification({
    message,
    at: now,
    atText: "now",
    target,
    origin: body.origin,
    type: "run",
    seedType: "thread_reply",
    ...about,
  });
  return { ...draft, id: messageId };
}

/** Who writes the command into the thread means what stands behind it. */
const command = /^\/?(?:daybook\s+)?answer\s+(\S{3,})\s+(?=\S)/i;

function answerIn({ body }: Event, questionId: string): string {
  const { text } = body.payload;
  const said = typeof text === "string" ? text.trim() : "";
  const [typed = "", id = ""] = command.exec(said) ?? [];
  return id !== "" && questionId.endsWith(id.toLowerCase()) ? said.slice(typed.length) : said;
}

/** More open questions than this nobody answers by threads. */
const openMax = 1_000;
/** Of those that are not open, the newest so many are known to whoever comes late. */
const endedMax = 100;

/** Finds what was asked in a thread, the newest first. */
export async function questionIn(
  book: Book,
  thread: string,
  isOpen: boolean,
): Promise<Question | undefined> {
  const query = { kind: questionKind, live: isOpen, order: "newest" } as const;
  for await (const question of recordsIn(book, query, isOpen ? openMax : endedMax)) {
    if (thread === (await threadTargetOf(book, question))) return question;
  }
  return undefined;
}

/** The thread that it was asked in, as a target. */
async function threadTargetOf(book: Book, { body }: Question): Promise<string | undefined> {
  const { thread } = body.about;
  if (thread === null) return isThread(body.target) ? body.target : undefined;
  const first = await book.get(thread);
  if (!is(notificationKind, first) || first.state !== "delivered") return undefined;
  return threadOf(first.body.target, first.outcome?.receipt ?? null);
}
