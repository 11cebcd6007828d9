import type { ChatCommand } from "../../kernel/chat.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Language } from "../../platform/language.ts";
import { chatFaultOf } from "../channels/chat-client.ts";
import type { TelegramApi } from "../channels/telegram-api.ts";
import { isSame } from "../sources/webhook.ts";
import type { Chat, ChatContext } from "./chat.ts";
import { waitAtMost, listener } from "./listener.ts";
import { bodyOf, parsed, refused } from "./request.ts";
import { telegramAnswer } from "./telegram-answer.ts";
import { readUpdate, type TelegramBot } from "./telegram-update.ts";

interface TelegramChatOptions extends ChatContext {
  /** Its menu. */
  readonly commands: readonly ChatCommand[];
  /** Its timeout must be longer than a poll, which takes 30 s. */
  readonly api: TelegramApi;
  /** Long polling, or a webhook at a public address, with a shared secret. */
  readonly mode: "polling" | { readonly url: string; readonly secret: string };
  /** What one message may carry; Telegram takes 4,096. */
  readonly charsMax?: number | undefined;
}

const pollSeconds = 30;
const batchMax = 100;
/** A slow handler delays the next poll by no more than this. */
const handleMs = 5_000;
const restMs = 1_000;
const kinds = ["message", "callback_query"] as const;

/** A bot of Telegram's, over long polling or a webhook. */
export function telegramChat(options: TelegramChatOptions): Chat {
  const { api, clock, mode } = options;
  const name = "telegram";
  if (mode !== "polling") checkSecret(mode.secret);
  let bot: TelegramBot | undefined;
  const poll = poller(api);
  const take = async (updates: readonly unknown[]): Promise<void> => {
    const given = updates.flatMap((update) => readUpdate(update, bot) ?? []);
    const all = given.map((each) =>
      service.inputs.take(
        each.input,
        telegramAnswer(each, { ...options, signal: service.signal() }),
      ),
    );
    await waitAtMost(clock, handleMs, Promise.all(all));
  };
  const service = listener(name, options, async (signal) => {
    bot ??= await setUp(options, signal);
    // A webhook needs no polling.
    if (mode !== "polling") return Infinity;
    const began = clock.mono();
    const updates = await poll(signal);
    await take(updates);
    // A proxy may cut the long poll short.
    return updates.length > 0 || clock.mono() - began >= restMs ? 0 : restMs;
  });
  return {
    name,
    start: service.start,
    stop: service.stop,
    async handle(request) {
      if (mode === "polling") return refused(404, "This bot polls: it has no webhook.");
      const given = request.headers.get("x-telegram-bot-api-secret-token") ?? "";
      if (!isSame(given, mode.secret)) return refused(401, "The secret token is wrong.");
      if (!service.isOpen()) return refused(503, "Temporarily unavailable: send it again later.");
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const update = parsed(body);
      if (update === undefined) return refused(400, "The body cannot be read: send JSON.");
      await take([update]);
      return new Response("");
    },
  };
}

function checkSecret(secret: string): void {
  if (/^[\w-]{16,256}$/.test(secret)) return;
  throw new DaybookError(
    "invalid",
    "The webhook's secret must have 16 to 256 letters, digits, _ or -: choose another.",
  );
}

/** Polls for updates since the last poll; asking for the next ones acknowledges these. */
function poller(api: TelegramApi): (signal: AbortSignal) => Promise<readonly unknown[]> {
  let offset = 0;
  let limit = batchMax;
  return async (signal) => {
    const query = { offset, limit, timeout: pollSeconds, allowed_updates: [...kinds] };
    const updates = await api.getUpdates(query, signal).catch((error: unknown) => {
      // A body over the limit cannot be read: fetch the updates one by one.
      limit = chatFaultOf(error).status === 200 ? 1 : batchMax;
      throw error;
    });
    limit = batchMax;
    for (const { update_id: id } of updates) offset = Math.max(offset, id + 1);
    return updates;
  };
}

/** Reads who the bot is, and sets its webhook and its menu; it works without the menu too. */
async function setUp(
  { api, mode, log, commands }: TelegramChatOptions,
  signal: AbortSignal,
): Promise<TelegramBot> {
  const { id, username } = await api.getMe({}, signal);
  if (mode === "polling") await api.deleteWebhook({}, signal);
  else {
    const { url, secret } = mode;
    await api.setWebhook({ url, secret_token: secret, allowed_updates: [...kinds] }, signal);
  }
  try {
    await api.setMyCommands({ commands: menuIn(commands, "en") }, signal);
    await api.setMyCommands({ commands: menuIn(commands, "ko"), language_code: "ko" }, signal);
  } catch (error) {
    log.warn("chat.menu", { channel: "telegram", reason: messageOf(error) });
  }
  return { id, username };
}

function menuIn(
  commands: readonly ChatCommand[],
  language: Language,
): { command: string; description: string }[] {
  return commands.map(({ name, texts }) => {
    return { command: name, description: texts[language].summary };
  });
}
