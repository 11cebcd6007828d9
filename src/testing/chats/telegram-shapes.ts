import type {
  TelegramChat,
  TelegramMessage,
  TelegramUser,
  TelegramWorld,
} from "./telegram-world.ts";

/** Users, chats and messages, as the service writes them. */

export const botUser = {
  id: 123_456,
  is_bot: true,
  first_name: "Daybook",
  username: "DaybookBot",
} as const;

interface Said {
  readonly chat: number;
  readonly from: TelegramUser;
  readonly text: string;
  readonly thread?: number;
  readonly replyTo?: number;
}

/** A person's message, with a new id. */
export function saidMessage(world: TelegramWorld, said: Said): object {
  const { chat, from, text, thread, replyTo } = said;
  const known = world.chats.get(chat) ?? { type: "private" };
  world.chats.set(chat, known);
  world.last += 1;
  const id = world.last;
  const others = world.others.get(chat) ?? new Set();
  world.others.set(chat, others.add(id));
  const command = /^\/[\w@]+/.exec(text)?.[0];
  return {
    message_id: id,
    ...topicOf(thread),
    from: { is_bot: false, ...from },
    chat: chatOf(chat, known, from),
    date: Math.floor(world.now() / 1_000),
    ...replyOf(world, said, replyTo ?? thread),
    text,
    ...(command === undefined
      ? {}
      : { entities: [{ type: "bot_command", offset: 0, length: command.length }] }),
  };
}

/** In a topic, a message without a reply replies to the message that created the topic. */
function replyOf(world: TelegramWorld, { chat, thread }: Said, to: number | undefined): object {
  if (to === undefined) return {};
  const made = world.messages.find((each) => each.id === to && each.chat === chat);
  if (made !== undefined) return { reply_to_message: madeMessage(world, made) };
  const known = world.chats.get(chat) ?? { type: "private" };
  const opened = to === thread ? { forum_topic_created: { name: "topic", icon_color: 0 } } : {};
  const message = { message_id: to, chat: chatOf(chat, known), date: 0, ...topicOf(thread) };
  return { reply_to_message: { ...message, ...opened } };
}

/** A message of the bot. */
export function madeMessage(world: TelegramWorld, message: TelegramMessage): object {
  const { id, chat, thread, text, entities, buttons, before } = message;
  const known = world.chats.get(chat) ?? { type: "private" };
  const date = Math.floor(world.now() / 1_000);
  const row = buttons.map(({ text, data }) => ({ text, callback_data: data }));
  return {
    message_id: id,
    ...topicOf(thread),
    from: botUser,
    chat: chatOf(chat, known),
    date,
    ...(before.length === 0 ? {} : { edit_date: date }),
    text,
    ...(entities.length === 0 ? {} : { entities }),
    ...(buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: [row] } }),
  };
}

function topicOf(thread: number | undefined): object {
  return thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true };
}

function chatOf(id: number, { type, topics }: TelegramChat, user?: TelegramUser): object {
  if (type === "private") return { id, type, first_name: user?.first_name ?? "somebody" };
  return { id, type, title: "a group", ...(topics === undefined ? {} : { is_forum: true }) };
}
