import type { ChatAnswer, ChatMessage, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isTypedId } from "../../kernel/typed-id.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal } from "../../platform/markup/literal.ts";
import { notificationKind } from "../notifications/index.ts";
import { answerRun, type TaskKind, taskKind } from "../tasks/index.ts";
import { answerQuestion } from "./operations/answer-question.ts";
import { questionIn } from "./reply.ts";

export const eventsChat: ChatPart = {
  commands: [
    {
      name: "answer",
      aliases: ["답"],
      texts: {
        en: {
          summary: "Answer a run's question, or a question by its code",
          usage: "RUN|CODE TEXT",
        },
        ko: { summary: "실행의 질문이나 코드로 고른 질문에 답합니다", usage: "실행|코드 답" },
      },
      run: answer,
    },
  ],
  reply,
  replyInThread,
};

/** `/answer RUN TEXT`, or a question's code in its place. */
async function answer(turn: ChatTurn, typed: string): Promise<ChatAnswer> {
  const [first = ""] = typed.trim().split(/\s/, 1);
  const text = typed.trim().slice(first.length).trim();
  const isCode = questionCode.test(first);
  if ((!isTypedId(first) && !isCode) || text === "") return { text: turn.texts.whichOne("answer") };
  try {
    if (isCode) return await toQuestion(turn, first, text);
  } catch (error) {
    if (!hasCode(error, "not_found") || !isTypedId(first)) throw error;
  }
  const { id } = await turn.find(first, [taskKind]);
  return toRun(turn, id, text);
}

/** `q-20260207-001`, or the end of it. */
const questionCode = /^#?(?:q-)?[\d-]{3,30}$/i;

/** A reply to the question of a run is the answer. */
async function reply(
  turn: ChatTurn,
  { text, inThread }: ChatMessage,
): Promise<ChatAnswer | undefined> {
  const replied = await turn.replied();
  if (is(notificationKind, replied)) {
    const { type, relatedTaskId: id, relatedQuestionId: question, seedType } = replied.body;
    // Programs may name questions of their own in their messages: those are not in this book.
    if (seedType !== undefined && question !== undefined) return toQuestion(turn, question, text);
    return type === "question" && id !== undefined ? toRun(turn, id, text) : undefined;
  }
  if (inThread !== true) return undefined;
  const run = await openRunIn(turn);
  return run && toRun(turn, run.id, text);
}

/** A message in the thread of an open question is the answer, where no source makes an event of it. */
async function replyInThread(
  turn: ChatTurn,
  { text, inThread }: ChatMessage,
): Promise<ChatAnswer | undefined> {
  if (inThread !== true) return undefined;
  const question = await questionIn(turn.book, turn.origin, true);
  return question && toQuestion(turn, question.id, text);
}

async function toRun(turn: ChatTurn, id: string, text: string): Promise<ChatAnswer> {
  await turn.request(answerRun, { id, answer: text.trim() });
  return { text: textsOf(turn.reader.language).answered };
}

/** A refusal is shown as it is: the operation knows the language. */
async function toQuestion(turn: ChatTurn, which: string, text: string): Promise<ChatAnswer> {
  const id = which.replace(/^#/, "").toLowerCase();
  try {
    await turn.request(answerQuestion, { id, answer: text.trim() });
    return { text: textsOf(turn.reader.language).answered };
  } catch (error) {
    if (error instanceof DaybookError && error.details["refused"] !== undefined) {
      return { text: literal(error.message, 400) };
    }
    throw error;
  }
}

/** In a thread nobody can reply to one message: the newest run with an open question there is meant. */
async function openRunIn({ book, origin }: ChatTurn): Promise<LedgerRecord<TaskKind> | undefined> {
  const query = { kind: taskKind, state: "needs_human", order: "newest", limit: 200 } as const;
  const { records } = await book.list(query);
  return records
    .filter((record) => is(taskKind, record))
    .find(({ body, cancelling }) => body.target === origin && !cancelling);
}

const textsOf = inLanguages({
  en: { answered: "Answer received. The run continues." },
  ko: { answered: "답을 받았습니다. 이어서 실행합니다." },
});
