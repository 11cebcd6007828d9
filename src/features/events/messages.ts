import type { DraftOf } from "../../kernel/unit.ts";
import { cutUnits } from "../../platform/text.ts";
import {
  messageCharsMax,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import { questionPrompt, threadMessage, type HandlerTask } from "../tasks/index.ts";
import { questionId, replyContext } from "./question.ts";
import type { Result } from "./result.ts";

type Draft = DraftOf<NotificationKind>;
interface MessageFacts {
  readonly now: number;
  readonly reader: Pick<NoticeReader, "language">;
}

/** The messages at the end of a handler's task. One to a channel that is not allowed is written as failed. */
export function messagesOf(
  task: HandlerTask,
  result: Result,
  facts: MessageFacts,
): readonly Draft[] {
  if (result.status === "needs_human") return [questionMessage(task, result, facts)];
  return [...endNotice(task, result, facts), ...proclamationOf(task, result, facts)];
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
  const draft = threadMessage(task, "notification", elsewhere);
  return maySendTo(task, request) ? [draft] : [unsent(draft), inThread];
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
  const asks = { question, choices, id, target, command: "question answer" } as const;
  const message = questionPrompt(reader.language, asks);
  const words = { message, now, priority: "high", questionId: id } as const;
  const draft = threadMessage(task, "human_input_request", words);
  const beside = { reply_context: replyContext(event, sessionId) };
  return { ...draft, body: { ...draft.body, beside } };
}

function endText({ id, body }: HandlerTask, result: EndedResult): string {
  const { handler } = body.event;
  const text = resultText(result).trim() || id;
  return cutUnits(`${marks[result.status]} ${handler}: ${text}`, messageCharsMax);
}

/** For people; programs read `final` instead. */
const marks: Readonly<Record<EndedResult["status"], string>> = {
  success: "✅",
  failed: "❌",
  killed: "❌",
  skipped: "⏭️",
};

function resultText(result: EndedResult): string {
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

/** Written to the book with the reason, and not sent. */
function unsent(draft: Draft): Draft {
  const { kind, body } = draft;
  const reason = notAllowed(body.target);
  const outcome = { receipt: null, reason, maybeDelivered: false };
  return { kind, body, ends: "failed", outcome, note: reason };
}

/** Why a result's message is not sent. */
export function notAllowed(target: string): string {
  const advice = `add it to "channels" of the handler to allow it`;
  return `not allowed: the result names ${target}; ${advice}`;
}

export function maySendTo({ body }: Pick<HandlerTask, "body">, channel: string): boolean {
  const own = body.target.split(":").slice(0, 2).join(":");
  return [own, ...body.event.channels].includes(slackTarget(channel));
}

/** The task was requested in the thread that its messages go to. */
function isAnswer({ body }: HandlerTask): boolean {
  return body.event.thread === null && body.origin === body.target;
}

function slackTarget(channel: string): string {
  return `slack:${channel}`;
}
