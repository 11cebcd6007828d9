import { json, peer, type Answer, type Call, type Peer } from "./peer.ts";
import {
  telegramFault,
  telegramForms,
  type TelegramForms,
  type TelegramMethod,
} from "./telegram-forms.ts";
import { botUser, madeMessage, saidMessage } from "./telegram-shapes.ts";
import { telegramUpdates, type TelegramUpdate, type TelegramUpdates } from "./telegram-updates.ts";
import {
  checkPlace,
  edit,
  Refusal,
  send,
  sendFile,
  type TelegramChat,
  type TelegramMessage,
  type TelegramUser,
  type TelegramWorld,
} from "./telegram-world.ts";

export interface TelegramServer extends Peer {
  readonly token: string;
  /** The bot's messages, as people see them now. */
  readonly messages: readonly TelegramMessage[];
  /** The toasts after pressed buttons, in order. */
  readonly toasts: readonly { readonly query: string; readonly text: string }[];
  /** The menu of the bot by language; "" for all others. */
  readonly commands: ReadonlyMap<string, readonly { command: string; description: string }[]>;
  readonly updates: Pick<TelegramUpdates, "again" | "taken" | "webhook">;
  /** Replaces a chat. */
  chat(id: number, chat: TelegramChat): void;
  /** A person sends a message. An unknown chat becomes a private one. */
  say(
    chat: number,
    from: TelegramUser,
    text: string,
    where?: { readonly thread?: number; readonly replyTo?: number },
  ): TelegramUpdate;
  /** A person presses a button under a message of the bot. */
  press(message: number, data: string, from: TelegramUser): TelegramUpdate;
  /** Rate limits the next messages. */
  busy(times: number, seconds: number): void;
}

interface TelegramOptions {
  readonly token?: string;
  readonly chats?: Readonly<Record<number, TelegramChat>>;
  readonly port?: number;
  now?(): number;
}

type Methods = {
  readonly [Method in TelegramMethod]: (form: TelegramForms[Method], call: Call) => unknown;
};

const saying = /\/(send|edit|answer)\w+$/;

/**
 * The Bot API for one bot, in the real one's shapes. It is stricter: unknown
 * parameters and chats are refused; and a webhook may be plain http, to stay on this machine.
 */
export async function telegramServer(options: TelegramOptions = {}): Promise<TelegramServer> {
  const { token = "123456:test-token_0123456789abcdefghijklmn", now = Date.now } = options;
  const chats = Object.entries(options.chats ?? {});
  const world: TelegramWorld = {
    chats: new Map(chats.map(([id, chat]) => [Number(id), chat])),
    messages: [],
    others: new Map(),
    last: 100,
    now,
  };
  const updates = telegramUpdates();
  const fixture = { toasts: [], commands: new Map(), open: new Set<string>() };
  const methods = methodsOf(world, updates, fixture);
  const server = await peer({
    answer: (call) => answerTo(call, token, methods),
    isSaying: ({ path }) => saying.test(path),
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  return {
    ...server,
    token,
    messages: world.messages,
    toasts: fixture.toasts,
    commands: fixture.commands,
    updates,
    chat: (id, chat) => void world.chats.set(id, chat),
    say: (chat, from, text, where = {}) =>
      updates.tell("message", saidMessage(world, { chat, from, text, ...where })),
    press(id, data, from) {
      const message = world.messages.find((each) => each.id === id);
      if (message?.buttons.some((button) => button.data === data) !== true) {
        throw new Error(`message ${id} has no button ${data}`);
      }
      const query = `${4_000_000 + fixture.open.size}`;
      fixture.open.add(query);
      const shown = madeMessage(world, message);
      const user = { is_bot: false, ...from };
      const pressed = { id: query, from: user, message: shown, chat_instance: "77", data };
      return updates.tell("callback_query", pressed);
    },
    busy(times, seconds) {
      server.next(...Array.from({ length: times }, () => tooMany(seconds)));
    },
  };
}

interface Fixture {
  readonly toasts: { query: string; text: string }[];
  readonly commands: Map<string, readonly { command: string; description: string }[]>;
  readonly open: Set<string>;
}

function methodsOf(world: TelegramWorld, updates: TelegramUpdates, fixture: Fixture): Methods {
  return {
    getMe: () => ({ ...botUser, can_join_groups: true, can_read_all_group_messages: false }),
    getUpdates: (form, { signal }) => updates.poll(form, signal),
    setWebhook(form) {
      if (form.drop_pending_updates === true) updates.drop();
      updates.setWebhook(form.url === "" ? undefined : form);
      return true;
    },
    deleteWebhook(form) {
      updates.setWebhook(undefined);
      if (form.drop_pending_updates === true) updates.drop();
      return true;
    },
    getWebhookInfo: () => updates.webhook(),
    setMyCommands({ commands, language_code = "" }) {
      fixture.commands.set(language_code, commands);
      return true;
    },
    sendMessage: (form) => madeMessage(world, send(world, form)),
    sendDocument: (form) => madeMessage(world, sendFile(world, form)),
    editMessageText: (form) => madeMessage(world, edit(world, form)),
    editMessageReplyMarkup: (form) => madeMessage(world, edit(world, form)),
    answerCallbackQuery({ callback_query_id: query, text = "" }) {
      if (!fixture.open.has(query)) {
        const old = "query is too old and response timeout expired or query ID is invalid";
        throw new Refusal(400, `Bad Request: ${old}`);
      }
      fixture.toasts.push({ query, text });
      return true;
    },
    sendChatAction({ chat_id, message_thread_id }) {
      checkPlace(world, chat_id, message_thread_id);
      return true;
    },
  };
}

function answerTo(call: Call, token: string, methods: Methods): Answer | Promise<Answer> {
  const [, given = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(call.path) ?? [];
  if (!Object.hasOwn(telegramForms, method)) return refused(new Refusal(404, "Not Found"));
  if (given !== token) return refused(new Refusal(401, "Unauthorized"));
  try {
    const result = called(method as TelegramMethod, call, methods);
    return result instanceof Promise ? result.then(done, refused) : done(result);
  } catch (error) {
    return refused(error);
  }
}

async function uploaded(call: Call, methods: Methods): Promise<unknown> {
  const headers = { "content-type": call.headers["content-type"] ?? "" };
  const data = await new Response(call.body, { headers }).formData();
  const values: Record<string, unknown> = {};
  for (const [name, value] of data) {
    if (typeof value !== "string") {
      values[name] = { name: value.name, content: await value.text() };
    } else values[name] = name === "caption" ? value : JSON.parse(value);
  }
  const fault = telegramFault("sendDocument", values);
  if (fault !== undefined) throw new Refusal(400, `Bad Request: ${fault}`);
  return methods.sendDocument(values as TelegramForms["sendDocument"], call); // checked above
}

function called(method: TelegramMethod, call: Call, methods: Methods): unknown {
  if (method === "sendDocument") return uploaded(call, methods);
  const isJson = call.headers["content-type"] === "application/json";
  if (call.verb !== "POST" || (!isJson && call.body !== "")) {
    throw new Refusal(400, "Bad Request: send the parameters as JSON");
  }
  const form = parsed(call.body || "{}");
  const fault = telegramFault(method, form);
  if (fault !== undefined) throw new Refusal(400, `Bad Request: ${fault}`);
  return (methods[method] as (form: unknown, call: Call) => unknown)(form, call);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, "Bad Request: can't parse JSON object");
  }
}

function done(result: unknown): Answer {
  return json(200, { ok: true, result });
}

function refused(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error;
  const { status: error_code, message: description, parameters } = error;
  const more = Object.keys(parameters).length === 0 ? {} : { parameters };
  return json(error_code, { ok: false, error_code, description, ...more });
}

function tooMany(seconds: number): Answer {
  const description = `Too Many Requests: retry after ${seconds}`;
  return refused(new Refusal(429, description, { retry_after: seconds }));
}
