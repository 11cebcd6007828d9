import type { Keyboard, TelegramForms } from "./telegram-forms.ts";
import { readTelegramHtml, type Entity, type Shown } from "./telegram-html.ts";

/** A chat that the bot is in. */
export interface TelegramChat {
  readonly type: "private" | "group" | "supergroup";
  /** The topics of a forum. */
  readonly topics?: readonly number[];
  /** Why the bot may not write there, as the service reports it: `bot was blocked by the user`. */
  readonly forbidden?: string;
  /** The chat's new id. */
  readonly migratedTo?: number;
}

export interface TelegramUser {
  readonly id: number;
  readonly first_name: string;
  readonly language_code?: string;
}

/** A message of the bot, as people see it now. */
export interface TelegramMessage extends Shown {
  readonly id: number;
  readonly chat: number;
  readonly thread?: number;
  readonly replyTo?: number;
  readonly buttons: readonly { readonly text: string; readonly data: string }[];
  /** The text of the message is its caption. */
  readonly document?: { readonly name: string; readonly content: string };
  /** Its earlier versions, oldest first. */
  readonly before: readonly Pick<TelegramMessage, "text" | "buttons">[];
}

/** The chats of a bot, and their messages. */
export interface TelegramWorld {
  readonly chats: Map<number, TelegramChat>;
  readonly messages: TelegramMessage[];
  /** People's messages and the service's own: ids by chat. */
  readonly others: Map<number, Set<number>>;
  last: number;
  now(): number;
}

/** A refusal, with the service's code or text. */
export class Refusal extends Error {
  readonly status: number;
  readonly parameters: Readonly<Record<string, number>>;

  constructor(status: number, message: string, parameters: Record<string, number> = {}) {
    super(message);
    this.status = status;
    this.parameters = parameters;
  }
}

const charsMax = 4_096;
const buttonBytesMax = 64;
const buttonsMax = 100;

export function send(world: TelegramWorld, form: TelegramForms["sendMessage"]): TelegramMessage {
  const { chat_id: chat, message_thread_id: thread, reply_parameters: reply } = form;
  checkPlace(world, chat, thread);
  const shown = shownText(form);
  const buttons = buttonsOf(form.reply_markup);
  const answered = world.messages.some(
    ({ id, chat: at }) => id === reply?.message_id && at === chat,
  );
  const isAnswer = answered || world.others.get(chat)?.has(reply?.message_id ?? 0) === true;
  if (reply !== undefined && !isAnswer && reply.allow_sending_without_reply !== true) {
    throw new Refusal(400, "Bad Request: message to be replied not found");
  }
  world.last += 1;
  const message = {
    id: world.last,
    chat,
    ...(thread === undefined ? {} : { thread }),
    ...(reply === undefined || !isAnswer ? {} : { replyTo: reply.message_id }),
    ...shown,
    buttons,
    before: [],
  };
  world.messages.push(message);
  return message;
}

/** A message with a file. */
export function sendFile(
  world: TelegramWorld,
  { caption = "", document, ...place }: TelegramForms["sendDocument"],
): TelegramMessage {
  const message = { ...send(world, { ...place, text: caption }), document };
  world.messages.splice(-1, 1, message);
  return message;
}

export function checkPlace({ chats }: TelegramWorld, id: number, thread?: number): void {
  const chat = chats.get(id);
  if (chat === undefined) throw new Refusal(400, "Bad Request: chat not found");
  if (chat.forbidden !== undefined) throw new Refusal(403, `Forbidden: ${chat.forbidden}`);
  if (chat.migratedTo !== undefined) {
    throw new Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: chat.migratedTo,
    });
  }
  if (thread !== undefined && chat.topics?.includes(thread) !== true) {
    throw new Refusal(400, "Bad Request: message thread not found");
  }
}

/** Changes a message of the bot: its text, or its buttons alone. */
export function edit(
  world: TelegramWorld,
  form: TelegramForms["editMessageText"] | TelegramForms["editMessageReplyMarkup"],
): TelegramMessage {
  checkPlace(world, form.chat_id);
  const at = world.messages.findIndex(
    ({ id, chat }) => id === form.message_id && chat === form.chat_id,
  );
  const old = world.messages[at];
  if (old === undefined) {
    const isOther = world.others.get(form.chat_id)?.has(form.message_id) === true;
    const what = isOther ? "message can't be edited" : "message to edit not found";
    throw new Refusal(400, `Bad Request: ${what}`);
  }
  const shown = "text" in form ? shownText(form) : { text: old.text, entities: old.entities };
  const buttons = buttonsOf(form.reply_markup);
  const isSame =
    JSON.stringify([shown, buttons]) ===
    JSON.stringify([{ text: old.text, entities: old.entities }, old.buttons]);
  if (isSame) {
    const same =
      "specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
    throw new Refusal(400, `Bad Request: message is not modified: ${same}`);
  }
  const before = [...old.before, { text: old.text, buttons: old.buttons }];
  const message = { ...old, ...shown, buttons, before };
  world.messages[at] = message;
  return message;
}

type Content = Pick<TelegramForms["sendMessage"], "text" | "parse_mode" | "entities">;

function shownText({ text, parse_mode, entities = [] }: Content): Shown {
  if (!text.isWellFormed()) throw new Refusal(400, "Bad Request: strings must be encoded in UTF-8");
  if (text === "") throw new Refusal(400, "Bad Request: message text is empty");
  const clean = cleaned(text);
  let shown: Shown;
  try {
    shown =
      parse_mode === "HTML" ? readTelegramHtml(clean) : { text: clean, entities: plain(entities) };
  } catch (error) {
    throw new Refusal(400, `Bad Request: can't parse entities: ${(error as Error).message}`);
  }
  const { text: visible } = shown;
  if (visible.trim() === "") throw new Refusal(400, "Bad Request: text must be non-empty");
  if (visible.length > charsMax) throw new Refusal(400, "Bad Request: message is too long");
  return trimmed(shown);
}

/** The service removes control characters before it parses. */
function cleaned(text: string): string {
  return text.replaceAll(/[\r\u2028-\u202E]/g, "").replaceAll(/(?!\n)\p{Cc}/gu, " ");
}

/** Space around a message is not shown, except in code. */
function trimmed({ text, entities }: Shown): Shown {
  const isCode = entities.some(({ type, offset }) => offset === 0 && /pre|code/.test(type));
  const start = isCode ? text : text.trimStart();
  const gone = text.length - start.length;
  const end = start.trimEnd();
  const moved = entities.flatMap((entity): Entity[] => {
    const from = Math.max(entity.offset - gone, 0);
    const to = Math.min(entity.offset + entity.length - gone, end.length);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: end, entities: moved };
}

function plain(entities: NonNullable<Content["entities"]>): Entity[] {
  return entities.map(({ type, offset, length, url, language }) => ({
    type,
    offset,
    length,
    ...(url === undefined ? {} : { url }),
    ...(language === undefined ? {} : { language }),
  }));
}

function buttonsOf(keyboard: Keyboard | undefined): TelegramMessage["buttons"] {
  const buttons = (keyboard?.inline_keyboard ?? []).flat();
  if (buttons.length > buttonsMax) throw new Refusal(400, "Bad Request: REPLY_MARKUP_TOO_LONG");
  return buttons.map(({ text, callback_data: data, url }) => {
    if ((data === undefined) === (url === undefined)) {
      const wrong = "text buttons are unallowed in the inline keyboard";
      throw new Refusal(400, `Bad Request: can't parse inline keyboard button: ${wrong}`);
    }
    const size = Buffer.byteLength(data ?? "x");
    if (size < 1 || size > buttonBytesMax) {
      throw new Refusal(400, "Bad Request: BUTTON_DATA_INVALID");
    }
    return { text, data: data ?? "" };
  });
}
