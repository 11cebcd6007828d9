import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { telegramHtml } from "../../platform/markup/telegram.ts";
import { cut } from "../../platform/text.ts";
import { chatFaultOf } from "../channels/chat-client.ts";
import type { TelegramApi } from "../channels/telegram-api.ts";
import type { Told } from "./chat.ts";
import { patiently } from "./polling.ts";
import type { TelegramHeard } from "./telegram-update.ts";
import { written, type Written } from "./written.ts";

interface Answering {
  readonly api: TelegramApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What one message may carry; Telegram takes 4,096. */
  readonly charsMax?: number;
}

const telegramCharsMax = 4_096;
const toastCharsMax = 200;

/** Answers where it was heard. */
export function telegramAnswer(
  told: TelegramHeard,
  answering: Answering,
): (answer: Told) => Promise<void> {
  const { api, charsMax = telegramCharsMax } = answering;
  return async ({ text, mark, toast }) => {
    // Their app waits for this first.
    if (told.press !== undefined) await acknowledge(told.press.query, toast, answering);
    if (mark !== undefined) await patiently(() => show(api, told, mark), answering);
    if (text === undefined) return;
    const parts = written(text, Math.min(charsMax, telegramCharsMax), telegramHtml);
    for (const [at, part] of parts.entries()) {
      await patiently(() => send(api, told, { part, isFirst: at === 0 }), answering);
    }
  };
}

async function send(
  api: TelegramApi,
  { chat, thread, replyTo }: TelegramHeard,
  { part, isFirst }: { part: Written; isFirst: boolean },
): Promise<void> {
  const form = {
    chat_id: chat,
    ...(thread === undefined ? {} : { message_thread_id: thread }),
    ...(replyTo === undefined || !isFirst
      ? {}
      : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
    link_preview_options: { is_disabled: true },
  };
  try {
    await api.sendMessage({ ...form, text: part.text, parse_mode: "HTML" });
  } catch (error) {
    if (!/can't parse entities/i.test(chatFaultOf(error).said ?? "")) throw error;
    await api.sendMessage({ ...form, text: part.plain });
  }
}

async function acknowledge(
  query: string,
  toast: Told["toast"],
  { api, log }: Answering,
): Promise<void> {
  const shown = toast === undefined ? {} : { text: cut(toast, toastCharsMax) };
  try {
    await api.answerCallbackQuery({ callback_query_id: query, ...shown });
  } catch (error) {
    // They have waited too long for it, and see the message itself.
    log.debug("chat.press", { channel: "telegram", reason: messageOf(error) });
  }
}

/** The message as it was, its new state under it, and no buttons. */
async function show(
  api: TelegramApi,
  { chat, thread, press }: TelegramHeard,
  mark: string,
): Promise<void> {
  if (press === undefined) return;
  const at = { chat_id: chat, message_id: press.message };
  const text = press.text === undefined ? undefined : `${press.text}\n\n${mark}`;
  try {
    if (text !== undefined && text.length <= telegramCharsMax) {
      const entities = press.entities.map((each) => ({ ...each }));
      // The service's own words, given back as they came.
      const same = { text, entities: entities as NonNullable<EditText["entities"]> };
      await api.editMessageText({ ...at, ...same, link_preview_options: { is_disabled: true } });
      return;
    }
    await api.editMessageReplyMarkup(at);
  } catch (error) {
    if (/message is not modified/i.test(chatFaultOf(error).said ?? "")) return;
    throw error;
  }
  const topic = thread === undefined ? {} : { message_thread_id: thread };
  const reply = { message_id: press.message, allow_sending_without_reply: true };
  await api.sendMessage({ chat_id: chat, ...topic, text: mark, reply_parameters: reply });
}

type EditText = Parameters<TelegramApi["editMessageText"]>[0];
