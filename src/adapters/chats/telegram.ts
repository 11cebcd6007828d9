import type { Clock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { chatFaultOf } from "../channels/chat-client.ts";
import type { TelegramApi } from "../channels/telegram-api.ts";
import type { Chat, Hear } from "./chat.ts";
import { inOrder } from "./conversations.ts";
import { atMost, listening } from "./polling.ts";
import { bodyOf, isSame, parsed, refused } from "./request.ts";
import { telegramAnswer } from "./telegram-answer.ts";
import { readUpdate, type TelegramBot } from "./telegram-update.ts";
import { textsOf, menuOf } from "./texts.ts";

interface TelegramChatOptions {
  /** Its calls must be allowed to take longer than a poll, which is 30 s. */
  readonly api: TelegramApi;
  readonly hear: Hear;
  readonly log: Log;
  readonly clock: Clock;
  /** Asks for what happened, or is told it at a public address, with a secret that only both know. */
  readonly mode: "polling" | { readonly url: string; readonly secret: string };
  /** What one message may carry; Telegram takes 4,096. */
  readonly charsMax?: number;
}

const pollSeconds = 30;
const batchMax = 100;
/** What takes longer to be heard does not keep the others waiting. */
const hearMs = 5_000;
const restMs = 1_000;
const kinds = ["message", "callback_query"] as const;

/** Hears a bot of Telegram, by long polling or a webhook, and answers there. */
export function telegramChat(options: TelegramChatOptions): Chat {
  const { api, hear, log, clock, mode } = options;
  const name = "telegram";
  if (mode !== "polling") checkSecret(mode.secret);
  const ears = inOrder({ hear, log });
  let bot: TelegramBot | undefined;
  const poll = poller(api);
  const taken = async (updates: readonly unknown[]): Promise<void> => {
    const told = updates.flatMap((update) => readUpdate(update, bot) ?? []);
    const all = told.map((each) =>
      ears.hear(each.heard, telegramAnswer(each, { ...options, signal: service.signal() })),
    );
    await atMost(clock, hearMs, Promise.all(all));
  };
  const service = listening({
    name,
    clock,
    log,
    idle: ears.idle,
    async listen(signal) {
      bot ??= await meet(options, signal);
      // A webhook that is set needs nothing more.
      if (mode !== "polling") return Infinity;
      const began = clock.mono();
      const updates = await poll(signal);
      await taken(updates);
      // Somebody in between may not let it wait for what happens.
      return updates.length > 0 || clock.mono() - began >= restMs ? 0 : restMs;
    },
  });
  return {
    name,
    start: service.start,
    stop: service.stop,
    async handle(request) {
      if (mode === "polling") return refused(404, "This bot is not told: it asks.");
      const given = request.headers.get("x-telegram-bot-api-secret-token") ?? "";
      if (!isSame(given, mode.secret)) return refused(401, "The secret token is wrong.");
      if (!service.isOpen()) return refused(503, "Not now: tell it again later.");
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const update = parsed(body);
      if (update === undefined) return refused(400, "The body cannot be read: send JSON.");
      await taken([update]);
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

/** Asks for what happened since the last time. What was answered before is not told again. */
function poller(api: TelegramApi): (signal: AbortSignal) => Promise<readonly unknown[]> {
  let offset = 0;
  let limit = batchMax;
  return async (signal) => {
    const asked = { offset, limit, timeout: pollSeconds, allowed_updates: [...kinds] };
    const updates = await api.getUpdates(asked, signal).catch((error: unknown) => {
      // An answer that is too long cannot be read: one by one, they may be.
      limit = chatFaultOf(error).status === 200 ? 1 : batchMax;
      throw error;
    });
    limit = batchMax;
    for (const { update_id: id } of updates) offset = Math.max(offset, id + 1);
    return updates;
  };
}

/** Who the bot is; how it is told; and its menu, without which it works too. */
async function meet(
  { api, mode, log }: TelegramChatOptions,
  signal: AbortSignal,
): Promise<TelegramBot> {
  const { id, username } = await api.getMe({}, signal);
  if (mode === "polling") await api.deleteWebhook({}, signal);
  else {
    const { url, secret } = mode;
    await api.setWebhook({ url, secret_token: secret, allowed_updates: [...kinds] }, signal);
  }
  try {
    await api.setMyCommands({ commands: [...menuOf(textsOf("en"))] }, signal);
    await api.setMyCommands({ commands: [...menuOf(textsOf("ko"))], language_code: "ko" }, signal);
  } catch (error) {
    log.warn("chat.menu", { channel: "telegram", reason: messageOf(error) });
  }
  return { id, username };
}
