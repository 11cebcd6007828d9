import { slackApi, type SlackApi } from "../../adapters/channels/slack-api.ts";
import { telegramApi, type TelegramApi } from "../../adapters/channels/telegram-api.ts";
import type { Clock } from "../../platform/clock.ts";
import { safeFetch, type SafeFetch } from "../../platform/fetch.ts";

/** The account at a chat service, and its URL if that is not the official one. */
export interface ChatService {
  readonly token: string;
  readonly api?: string | undefined;
}

const callMs = 20_000;
const callBytesMax = 1_048_576;
/** A poll waits for 30 s, and brings up to a hundred messages. */
const poll = { timeoutMs: 45_000, bytesMax: 4 * 1_048_576 };

/** The host of a configured API is allowed, also if it is private. */
export function chatFetch(
  { api }: Pick<ChatService, "api">,
  clock: Clock,
  limits: { timeoutMs: number; bytesMax: number } = { timeoutMs: callMs, bytesMax: callBytesMax },
): SafeFetch {
  const allowHosts = api === undefined ? [] : [new URL(api).host];
  return safeFetch({ clock, ...limits, allowHosts });
}

export function telegramFrom(service: ChatService, clock: Clock): TelegramApi {
  const { token, api: apiRoot } = service;
  const { getUpdates } = telegramApi({ token, apiRoot, fetch: chatFetch(service, clock, poll) });
  return { ...telegramApi({ token, apiRoot, fetch: chatFetch(service, clock) }), getUpdates };
}

export function slackFrom(service: ChatService, clock: Clock): SlackApi {
  const { token, api: apiUrl } = service;
  return slackApi({ token, apiUrl, fetch: chatFetch(service, clock) });
}
