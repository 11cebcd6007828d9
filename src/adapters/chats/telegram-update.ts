import * as z from "zod";
import type { Language } from "../../platform/language.ts";
import type { ChatInput } from "./chat.ts";
import { readCommand } from "./command-line.ts";

/** The bot itself, as `getMe` answers. */
export interface TelegramBot {
  readonly id: number;
  readonly username: string;
}

/** An input, and what is needed to answer it. */
export interface TelegramInput {
  readonly input: ChatInput;
  readonly chat: number;
  readonly thread?: number | undefined;
  /** The message to reply to, in a chat with others. */
  readonly replyTo?: number | undefined;
  readonly press?: {
    readonly query: string;
    readonly message: number;
    /** The message's text; absent when Telegram no longer has it. */
    readonly text?: string | undefined;
    readonly entities: readonly z.infer<typeof entity>[];
  };
}

const user = z.object({
  id: z.int(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(""),
  last_name: z.string().optional(),
  language_code: z.string().optional(),
});
const entity = z.object({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  url: z.string().optional(),
  language: z.string().optional(),
});
const positionFields = {
  message_id: z.int(),
  chat: z.object({ id: z.int(), type: z.string() }),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
};
const message = z.object({
  ...positionFields,
  date: z.int(),
  from: user,
  sender_chat: z.unknown().optional(),
  text: z.string(),
  reply_to_message: z
    .object({
      message_id: z.int(),
      from: user.optional(),
      forum_topic_created: z.unknown().optional(),
    })
    .optional(),
});
const query = z.object({
  id: z.string(),
  from: user,
  data: z.string(),
  message: z.object({
    ...positionFields,
    text: z.string().optional(),
    entities: z.array(entity).default([]),
  }),
});
const shape = z.object({ message: z.unknown().optional(), callback_query: z.unknown().optional() });

/** Reads an update; undefined: no person sent it, or it is not for this bot. */
export function readUpdate(
  update: unknown,
  bot: TelegramBot | undefined,
): TelegramInput | undefined {
  const { data } = shape.safeParse(update);
  if (data?.callback_query !== undefined) return pressIn(query.safeParse(data.callback_query).data);
  return textIn(message.safeParse(data?.message).data, bot);
}

function textIn(
  given: z.infer<typeof message> | undefined,
  bot: TelegramBot | undefined,
): TelegramInput | undefined {
  // A chat or a bot as the sender has an id that several people share.
  if (given === undefined || given.sender_chat !== undefined || given.from.is_bot) return undefined;
  const { message_id: id, chat, date, from, reply_to_message: reply } = given;
  const { text, isNamed } = addressed(given.text, bot);
  const named = readCommand(text)?.bot;
  if (named !== undefined && bot !== undefined && !isAlike(named, bot.username)) return undefined;
  const isPrivate = chat.type === "private";
  const replyTo = replyOf(reply, bot);
  return {
    input: {
      ...senderAndAddress(from, given),
      // Update numbers restart with another bot, and after a while without updates.
      id: `${chat.id}.${id}.${date}`,
      content: { text, replyTo, overheard: !isPrivate && !isNamed },
    },
    ...chatOf(given),
    replyTo: isPrivate ? undefined : id,
  };
}

/** Only a message of ours. In a topic, a message that replies to nothing replies to the topic's creation. */
function replyOf(
  reply: z.infer<typeof message>["reply_to_message"],
  bot: TelegramBot | undefined,
): number | undefined {
  if (reply === undefined || reply.forum_topic_created !== undefined) return undefined;
  const isOurs = bot === undefined ? reply.from?.is_bot === true : reply.from?.id === bot.id;
  return isOurs ? reply.message_id : undefined;
}

function pressIn(given: z.infer<typeof query> | undefined): TelegramInput | undefined {
  if (given === undefined || given.from.is_bot) return undefined;
  const { id, from, data } = given;
  const { message_id: message, text, entities } = given.message;
  const content = { pressed: data, message };
  return {
    input: { ...senderAndAddress(from, given.message), id: `press.${id}`, content },
    ...chatOf(given.message),
    press: { query: id, message, text, entities },
  };
}

type Position = Pick<z.infer<typeof message>, "chat" | "message_thread_id" | "is_topic_message">;

/** In a group without topics, a thread is only a chain of replies. */
function chatOf({ chat, message_thread_id: thread, is_topic_message: isTopic }: Position) {
  return { chat: chat.id, thread: isTopic === true ? thread : undefined };
}

function senderAndAddress(
  { id, first_name: first, last_name: last = "", language_code: code }: z.infer<typeof user>,
  at: Position,
): Pick<ChatInput, "channel" | "sender" | "address"> {
  const { chat, thread } = chatOf(at);
  const language: Language = code?.startsWith("ko") === true ? "ko" : "en";
  const name = `${first} ${last}`.trim();
  return {
    channel: "telegram",
    sender: { id: `${id}`, name, language },
    address: thread === undefined ? `${chat}` : `${chat}:${thread}`,
  };
}

/** A text that begins with the bot's name is for the bot. */
function addressed(text: string, bot: TelegramBot | undefined): { text: string; isNamed: boolean } {
  const [head, name = ""] = /^\s*@(\w{1,64})[\s,:]*/.exec(text) ?? [];
  const isNamed = head !== undefined && bot !== undefined && isAlike(name, bot.username);
  return { text: isNamed ? text.slice(head.length) : text, isNamed };
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
