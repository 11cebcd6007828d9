import * as z from "zod";
import type { Language } from "../../platform/language.ts";
import type { Heard } from "./chat.ts";
import { readCommand } from "./command-line.ts";

/** The bot that is heard, as it calls itself. */
export interface TelegramBot {
  readonly id: number;
  readonly username: string;
}

/** A stretch of a text that is shown in another way. */
type Entity = z.infer<typeof entity>;

/** Something that happened, and what is needed to answer it. */
export interface TelegramHeard {
  readonly heard: Heard;
  readonly chat: number;
  readonly thread?: number;
  /** What is answered to, where others speak too. */
  readonly replyTo?: number;
  readonly press?: {
    readonly query: string;
    readonly message: number;
    /** What the message says; absent when it is too old to be known. */
    readonly text?: string;
    readonly entities: readonly Entity[];
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
const place = {
  message_id: z.int(),
  chat: z.object({ id: z.int(), type: z.string() }),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
};
const message = z.object({
  ...place,
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
    ...place,
    text: z.string().optional(),
    entities: z.array(entity).default([]),
  }),
});
const shape = z.object({ message: z.unknown().optional(), callback_query: z.unknown().optional() });

/** Reads an update. Nothing: it is none that somebody said to us. */
export function readUpdate(
  update: unknown,
  bot: TelegramBot | undefined,
): TelegramHeard | undefined {
  const { data: told } = shape.safeParse(update);
  if (told?.callback_query !== undefined) return pressed(query.safeParse(told.callback_query).data);
  return said(message.safeParse(told?.message).data, bot);
}

function said(
  told: z.infer<typeof message> | undefined,
  bot: TelegramBot | undefined,
): TelegramHeard | undefined {
  // Who writes as a chat, or as a bot, has an id that others have too.
  if (told === undefined || told.sender_chat !== undefined || told.from.is_bot) return undefined;
  const { message_id: id, chat, date, from, reply_to_message: reply } = told;
  const { text, isNamed } = addressed(told.text, bot);
  const named = readCommand(text)?.bot;
  if (named !== undefined && bot !== undefined && !isAlike(named, bot.username)) return undefined;
  const isPrivate = chat.type === "private";
  const what = { said: text, ...replyOf(reply, bot), overheard: !isPrivate && !isNamed };
  return {
    // The numbers of updates begin anew with another bot, and after a while without any.
    heard: { ...whoAndWhere(from, told), id: `${chat.id}.${id}.${date}`, what },
    ...chatOf(told),
    ...(isPrivate ? {} : { replyTo: id }),
  };
}

/** Only a message of ours; in a topic, all that answers to nothing answers to its beginning. */
function replyOf(
  reply: z.infer<typeof message>["reply_to_message"],
  bot: TelegramBot | undefined,
): { replyTo?: number } {
  if (reply === undefined || reply.forum_topic_created !== undefined) return {};
  const isOurs = bot === undefined ? reply.from?.is_bot === true : reply.from?.id === bot.id;
  return isOurs ? { replyTo: reply.message_id } : {};
}

function pressed(told: z.infer<typeof query> | undefined): TelegramHeard | undefined {
  if (told === undefined || told.from.is_bot) return undefined;
  const { id, from, data, message: under } = told;
  const { message_id: message, text, entities } = under;
  return {
    heard: { ...whoAndWhere(from, under), id: `press.${id}`, what: { pressed: data, message } },
    ...chatOf(under),
    press: { query: id, message, ...(text === undefined ? {} : { text }), entities },
  };
}

type Place = Pick<z.infer<typeof message>, "chat" | "message_thread_id" | "is_topic_message">;

/** In a group without topics, a thread is only a row of answers. */
function chatOf({ chat, message_thread_id: thread, is_topic_message: isTopic }: Place): {
  chat: number;
  thread?: number;
} {
  return { chat: chat.id, ...(isTopic === true && thread !== undefined ? { thread } : {}) };
}

function whoAndWhere(
  { id, first_name: first, last_name: last = "", language_code: code }: z.infer<typeof user>,
  at: Place,
): Pick<Heard, "channel" | "sender" | "place"> {
  const { chat, thread } = chatOf(at);
  const language: Language = code?.startsWith("ko") === true ? "ko" : "en";
  const name = `${first} ${last}`.trim();
  return {
    channel: "telegram",
    sender: { id: `${id}`, name, language },
    place: thread === undefined ? `${chat}` : `${chat}:${thread}`,
  };
}

/** A text that begins with the bot's name is said to it. */
function addressed(text: string, bot: TelegramBot | undefined): { text: string; isNamed: boolean } {
  const [head, name = ""] = /^\s*@(\w{1,64})[\s,:]*/.exec(text) ?? [];
  const isNamed = head !== undefined && bot !== undefined && isAlike(name, bot.username);
  return { text: isNamed ? text.slice(head.length) : text, isNamed };
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
