import type { ChatAnswer } from "../../kernel/chat.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { telegramHtml } from "../../platform/markup/telegram.ts";
import { cut } from "../../platform/text.ts";
import { chatFaultOf } from "../channels/chat-client.ts";
import { markdownPieces, type Piece } from "../channels/parts.ts";
import type { TelegramApi } from "../channels/telegram-api.ts";
import { withRetry } from "./listener.ts";
import type { TelegramInput } from "./telegram-update.ts";

interface AnswerContext {
  readonly api: TelegramApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What one message may carry; Telegram takes 4,096. */
  readonly charsMax?: number | undefined;
}

const telegramCharsMax = 4_096;
const toastCharsMax = 200;

/** Sends an answer to the chat of the input. */
export function telegramAnswer(
  given: TelegramInput,
  context: AnswerContext,
): (answer: ChatAnswer) => Promise<void> {
  const { api, charsMax = telegramCharsMax } = context;
  return async ({ text, mark, toast }) => {
    // The app shows a spinner until this arrives.
    if (given.press !== undefined) await acknowledge(given.press.query, toast, context);
    if (mark !== undefined) await withRetry(() => showMark(api, given, mark), context);
    if (text === undefined) return;
    const parts = markdownPieces(text, Math.min(charsMax, telegramCharsMax), telegramHtml);
    for (const [at, part] of parts.entries()) {
      await withRetry(() => send(api, given, { part, isFirst: at === 0 }), context);
    }
  };
}

async function send(
  api: TelegramApi,
  { chat, thread, replyTo }: TelegramInput,
  { part, isFirst }: { part: Piece; isFirst: boolean },
): Promise<void> {
  const form = {
    chat_id: chat,
    message_thread_id: thread,
    reply_parameters: isFirst && replyTo !== undefined ? asReplyTo(replyTo) : undefined,
    link_preview_options: { is_disabled: true },
  };
  try {
    await api.sendMessage({ ...form, text: part.text, parse_mode: "HTML" });
  } catch (error) {
    if (!/can't parse entities/i.test(chatFaultOf(error).description ?? "")) throw error;
    await api.sendMessage({ ...form, text: part.plain });
  }
}

async function acknowledge(
  query: string,
  toast: ChatAnswer["toast"],
  { api, log }: AnswerContext,
): Promise<void> {
  const text = toast === undefined ? undefined : cut(toast, toastCharsMax);
  try {
    await api.answerCallbackQuery({ callback_query_id: query, text });
  } catch (error) {
    // The query has expired; the person still sees the message.
    log.debug("chat.press", { channel: "telegram", reason: messageOf(error) });
  }
}

/** The message with the mark below it, and no buttons. */
async function showMark(
  api: TelegramApi,
  { chat, thread, press }: TelegramInput,
  mark: string,
): Promise<void> {
  if (press === undefined) return;
  const at = { chat_id: chat, message_id: press.message };
  const text = press.text === undefined ? undefined : `${press.text}\n\n${mark}`;
  try {
    if (text !== undefined && text.length <= telegramCharsMax) {
      const entities = press.entities.map((each) => ({ ...each }));
      // Telegram's own entities, sent back unchanged.
      const same = { text, entities: entities as NonNullable<EditText["entities"]> };
      await api.editMessageText({ ...at, ...same, link_preview_options: { is_disabled: true } });
      return;
    }
    await api.editMessageReplyMarkup(at);
  } catch (error) {
    if (/message is not modified/i.test(chatFaultOf(error).description ?? "")) return;
    throw error;
  }
  await api.sendMessage({
    chat_id: chat,
    message_thread_id: thread,
    text: mark,
    reply_parameters: asReplyTo(press.message),
  });
}

function asReplyTo(message: number) {
  return { message_id: message, allow_sending_without_reply: true };
}

type EditText = Parameters<TelegramApi["editMessageText"]>[0];
