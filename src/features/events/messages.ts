import type { DraftOf } from "../../kernel/unit.ts";
import { cut } from "../../platform/text.ts";
import type { NotificationKind, NoticeReader } from "../notifications/index.ts";
import { questionPrompt, threadMessage, type HandlerTask } from "../tasks/index.ts";
import { questionId, replyContext } from "./question.ts";
import type { Result } from "./result.ts";

type Draft = DraftOf<NotificationKind>;
export interface MessageFacts {
  readonly now: number;
  readonly reader: Pick<NoticeReader, "language">;
}

const messageCharsMax = 9_900;

/** All that is said when a task of a handler has come to its end. What it names that it may not is kept, unsaid. */
export function messagesOf(
  task: HandlerTask,
  result: Result,
  saying: MessageFacts,
): readonly Draft[] {
  if (result.status === "needs_human") return [questionMessage(task, result, saying)];
  return [...endNotice(task, result, saying), ...proclamationOf(task, result, saying)];
}

type EndedResult = Exclude<Result, { status: "needs_human" }>;

function endNotice(
  task: HandlerTask,
  result: EndedResult,
  { now }: MessageFacts,
): readonly Draft[] {
  const message = endText(task, result);
  const { notify_channel: request } = result;
  const ends = { message, now, final: true } as const;
  const inThread = threadMessage(task, isAnswer(task) ? "thread_reply" : "notification", ends);
  if (request === undefined) return [inThread];
  const elsewhere = { ...ends, target: slackTarget(request), channelName: request };
  const there = threadMessage(task, "notification", elsewhere);
  return maySendTo(task, request) ? [there] : [unsent(there), inThread];
}

function proclamationOf(
  task: HandlerTask,
  { proclamation }: EndedResult,
  { now }: MessageFacts,
): readonly Draft[] {
  if (proclamation === undefined) return [];
  const { channel, message } = proclamation;
  const own = { ...task, id: `proclamation-${task.id}` };
  const draft = threadMessage(own, "notification", {
    message,
    now,
    target: slackTarget(channel),
    channelName: channel,
    priority: "high",
  });
  return [maySendTo(task, channel) ? draft : unsent(draft)];
}

function questionMessage(
  task: HandlerTask,
  result: Extract<Result, { status: "needs_human" }>,
  { now, reader }: MessageFacts,
): Draft {
  const { question, choices = [], session_id: sessionId = null } = result;
  const id = questionId(task.id);
  const { target, event } = task.body;
  const message = questionPrompt(reader.language, { question, choices, id, target });
  const asks = { message, now, priority: "high", questionId: id } as const;
  const draft = threadMessage(task, "human_input_request", asks);
  const beside = { reply_context: replyContext(event, sessionId) };
  return { ...draft, body: { ...draft.body, beside } };
}

function endText({ id, body }: HandlerTask, result: EndedResult): string {
  const { handler } = body.event;
  const words = endWords(result).trim() || id;
  return cut(`${marks[result.status]} ${handler}: ${words}`, messageCharsMax);
}

/** For people to see; what a program must know is `final`. */
const marks: Readonly<Record<EndedResult["status"], string>> = {
  success: "✅",
  failed: "❌",
  killed: "❌",
  skipped: "⏭️",
};

function endWords(result: EndedResult): string {
  switch (result.status) {
    case "success":
      return result.summary;
    case "failed":
    case "killed":
      return result.error;
    case "skipped":
      return result.reason;
  }
}

/** It stays in the book with the reason, and nobody is told. */
function unsent(draft: Draft): Draft {
  const { kind, body } = draft;
  const reason = notAllowed(body.target);
  const outcome = { receipt: null, reason, maybeDelivered: false };
  return { kind, body, ends: "failed", outcome, note: reason };
}

/** Why a result's message is not sent. */
export function notAllowed(target: string): string {
  const toDo = `list it in the handler's "channels" to let its results speak there`;
  return `not allowed: the result names ${target}; ${toDo}`;
}

export function maySendTo({ body }: Pick<HandlerTask, "body">, channel: string): boolean {
  const own = body.target.split(":").slice(0, 2).join(":");
  return [own, ...body.event.channels].includes(slackTarget(channel));
}

/** It was asked in the thread that it answers in. */
function isAnswer({ body }: HandlerTask): boolean {
  return body.event.thread === null && body.origin === body.target;
}

function slackTarget(channel: string): string {
  return `slack:${channel}`;
}
