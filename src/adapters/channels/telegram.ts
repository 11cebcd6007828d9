import { telegramAddress } from "../../features/accounts/index.ts";
import {
  type Channel,
  type Mark,
  type Sent,
  telegramThread,
} from "../../features/notifications/index.ts";
import { type Json, present } from "../../platform/json.ts";
import { telegramHtml } from "../../platform/markup/telegram.ts";
import { buttonsFor, missingMessage, lastMessage, markedPart, shownOn } from "./buttons.ts";
import { chatFaultOf, sentAfter, type CallReading } from "./chat-client.ts";
import { richPieces, sendInParts, type Part, type Piece } from "./parts.ts";
import type { TelegramApi, TelegramFault } from "./telegram-api.ts";
import type { TextFile } from "./text-file.ts";
import { withinMessages } from "./within-messages.ts";

type TelegramTarget = ReturnType<typeof telegramAddress>;

const telegramCharsMax = 4_096;

/** Sends messages to `telegram:{chat}` or `telegram:{chat}:{thread}`. */
export function telegram({
  api,
  ...limits
}: {
  api: TelegramApi;
  /** The most characters of one message. */
  charsMax?: number | undefined;
  /** The most messages of one text; a longer one is sent as a file. */
  messagesMax?: number | undefined;
}): Channel {
  const charsMax = Math.min(limits.charsMax ?? telegramCharsMax, telegramCharsMax);
  return {
    name: "telegram",
    readAddress: telegramAddress,
    takesLong: true,
    send: sendInParts({
      split: withinMessages(richPieces(charsMax, telegramHtml), {
        charsMax,
        messagesMax: limits.messagesMax,
      }),
      read: telegramAddress,
      sendPart: (...part) => sendPart(api, ...part),
      receiptOf,
    }),
    mark: (mark, { signal }) => showMark(api, mark, { charsMax, signal }),
    threadOf: telegramThread,
  };
}

async function sendPart(
  api: TelegramApi,
  part: Part,
  to: TelegramTarget,
  signal: AbortSignal,
): Promise<Sent> {
  return withFallback(to, { signal, refused }, async (isPlain) => {
    const { message_id: message } =
      part.file === undefined
        ? await api.sendMessage(formOf(part, to, isPlain), signal)
        : await api.sendDocument(documentOf(part, part.file, to), signal);
    return { result: "delivered", receipt: { chat: to.chat, message } };
  });
}

/** Calls again for a group that became a supergroup and so has another id, and as plain text when the markup is refused. */
async function withFallback(
  to: TelegramTarget,
  reading: CallReading,
  call: (isPlain: boolean) => Promise<Sent>,
): Promise<Sent> {
  const first = to.chat;
  let isPlain = false;
  for (;;) {
    try {
      return await call(isPlain);
    } catch (error) {
      const { movedTo, description = "" } = chatFaultOf(error) as Partial<TelegramFault>;
      if (movedTo !== undefined && to.chat === first && movedTo !== first) to.chat = movedTo;
      else if (/can't parse entities/i.test(description) && !isPlain) isPlain = true;
      else return sentAfter(error, "Telegram", reading);
    }
  }
}

/** `charsMax`: the limit of a part when it was sent. */
async function showMark(
  api: TelegramApi,
  mark: Mark,
  { charsMax, signal }: { charsMax: number; signal: AbortSignal },
): Promise<Sent> {
  const limits = { sizeMax: charsMax, editedMax: telegramCharsMax, write: telegramHtml };
  const { text, plain } = markedPart(mark, limits);
  const { chat, message } = lastMessage(mark.receipt);
  const to = { chat: Number(chat) };
  const editRefused = (description: string, status: number): Sent => {
    if (/message is not modified/i.test(description)) return shownOn(message);
    return missing.test(description) ? missingMessage(description) : refused(description, status);
  };
  return withFallback(to, { signal, refused: editRefused }, async (isPlain) => {
    await api.editMessageText(
      {
        chat_id: to.chat,
        message_id: Number(message),
        ...textIn({ text, plain }, isPlain),
        link_preview_options: { is_disabled: true },
      },
      signal,
    );
    return shownOn(message);
  });
}

const missing = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i;

function textIn({ text, plain }: Piece, isPlain: boolean) {
  return isPlain ? { text: plain } : { text, parse_mode: "HTML" as const };
}

function formOf(part: Part, { chat, thread }: TelegramTarget, isPlain: boolean) {
  const buttons = part.part === part.of ? buttonsFor(part.fullMessage) : [];
  const row = buttons.map(({ label, data }) => ({ text: label, callback_data: data }));
  return {
    ...textIn(part, isPlain),
    chat_id: chat,
    message_thread_id: thread,
    // A preview would fetch a link before anybody chose to open it.
    link_preview_options: { is_disabled: true },
    disable_notification: part.priority === "low" ? true : undefined,
    reply_markup: row.length === 0 ? undefined : { inline_keyboard: [row] },
  };
}

function documentOf({ plain, priority }: Part, file: TextFile, { chat, thread }: TelegramTarget) {
  const silent = priority === "low" ? "true" : undefined;
  const fields = present({
    chat_id: String(chat),
    message_thread_id: thread === undefined ? undefined : String(thread),
    caption: plain,
    disable_notification: silent,
  });
  return { fields, name: "document", file };
}

function receiptOf({ chat, thread }: TelegramTarget, receipts: readonly Json[]): Json {
  const parts = receipts as unknown as readonly { chat: number; message: number }[];
  const now = parts.at(-1)?.chat ?? chat;
  const movedFrom = now === chat ? undefined : chat;
  return present({ chat: now, movedFrom, thread, messages: parts.map(({ message }) => message) });
}

/** The meaning of a refusal, and what to do about it. */
const meanings: readonly [RegExp, string][] = [
  [/blocked by the user/i, "the person has blocked the bot: they can unblock it in Telegram"],
  [/user is deactivated/i, "the person's account is deleted: choose another target"],
  [/kicked|not a member/i, "the bot was removed from the chat: add it again"],
  [
    /can't initiate conversation/i,
    "the person never wrote to the bot: they must send /start first",
  ],
  [
    /thread not found|TOPIC_DELETED|TOPIC_ID_INVALID/i,
    "the topic is deleted: choose another target",
  ],
  [/TOPIC_CLOSED/i, "the topic is closed: open it again, or choose another target"],
  [
    /chat not found|PEER_ID_INVALID/i,
    "the chat does not exist, or the bot is not in it: check the id, and add the bot",
  ],
  [/chat was deactivated|chat was deleted/i, "the group is deleted: choose another target"],
  [
    /not enough rights|no rights|WRITE_FORBIDDEN|RESTRICTED/i,
    "the bot may not write there: allow it",
  ],
  [/upgraded to a supergroup/i, "the group became a supergroup: use its new id"],
];

function refused(description: string, status: number): Sent {
  if (status < 400) {
    const toDo = "check DAYBOOK_TELEGRAM_API";
    return { result: "unknown", reason: `the answer is not from Telegram: ${toDo}` };
  }
  const [, found] = meanings.find(([shape]) => shape.test(description)) ?? [];
  // A malformed token makes a URL that does not exist.
  const isToken = status === 401 || status === 404;
  const token = "the bot's token is wrong: set DAYBOOK_TELEGRAM_TOKEN to the token from @BotFather";
  const meaning = found ?? (isToken ? token : "Telegram refused the message");
  const detail = description === "" ? `${status}` : `${status} ${description}`;
  return { result: "rejected", reason: `${meaning} (${detail})` };
}
