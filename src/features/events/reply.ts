import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Language } from "../../platform/language.ts";
import { quote } from "../../platform/text.ts";
import { makeNotification, type NotificationKind } from "../notifications/kind.ts";
import { endsUnhandled, goesTo } from "./dispatch.ts";
import type { Handler } from "./handler.ts";
import type { EventKind } from "./kind.ts";
import { answered, type Refusal, type QuestionKind } from "./question.ts";
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
  readonly places: number | null;
  readonly language: Language;
}

/** The answer is taken and a task goes on with it; or whoever said it is told why not. One unit. */
export function replies(event: Event, reply: Reply, { now }: Facts): Verdict<EventKind> {
  const { question, handler, taskId, places } = reply;
  if (handler === undefined) {
    const words = textsOf(reply.language).answers.nobody(question.body.handler);
    const reason = `discarded: no handler is called ${question.body.handler}`;
    return endsUnhandled(event, "completed", reason, { append: [tells(event, words, reply, now)] });
  }
  const { id, body, by } = event;
  const answer = saidIn(event, question.id);
  const brings = { id, name: body.name, hops: body.hops };
  const answering = { answer, by, now, handler, taskId, places, event: brings };
  const unit = answered(question, answering);
  if ("refused" in unit) {
    const words = refusalWords(question, unit.refused, reply.language);
    const reason = `no answer to ${question.id}: ${unit.refused}`;
    return endsUnhandled(event, "completed", reason, { append: [tells(event, words, reply, now)] });
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

function tells(
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

function saidIn({ body }: Event, questionId: string): string {
  const { text } = body.payload;
  const said = typeof text === "string" ? text.trim() : "";
  const [typed = "", id = ""] = command.exec(said) ?? [];
  return id !== "" && questionId.endsWith(id.toLowerCase()) ? said.slice(typed.length) : said;
}
