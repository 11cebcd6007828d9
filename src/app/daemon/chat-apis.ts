import { slackApi, type SlackApi } from "../../adapters/channels/slack-api.ts";
import { telegramApi, type TelegramApi } from "../../adapters/channels/telegram-api.ts";
import type { Clock } from "../../platform/clock.ts";
import { safeFetch, type SafeFetch } from "../../platform/fetch.ts";

/** A service with a token, and where it is if that is not the official place. */
export interface ChatPlace {
  readonly token: string;
  readonly api?: string;
}

const callMs = 20_000;
const callBytesMax = 1_048_576;
/** A poll waits for 30 s, and brings up to a hundred messages. */
const poll = { timeoutMs: 45_000, bytesMax: 4 * 1_048_576 };

/** Whoever wrote the configuration chose this API, wherever it is. */
export function chatFetch(
  { api }: Pick<ChatPlace, "api">,
  clock: Clock,
  limits: { timeoutMs: number; bytesMax: number } = { timeoutMs: callMs, bytesMax: callBytesMax },
): SafeFetch {
  const allowHosts = api === undefined ? [] : [new URL(api).host];
  return safeFetch({ clock, ...limits, allowHosts });
}

export function telegramFrom(place: ChatPlace, clock: Clock): TelegramApi {
  const { token, api } = place;
  const at = { token, ...(api === undefined ? {} : { apiRoot: api }) };
  const { getUpdates } = telegramApi({ ...at, fetch: chatFetch(place, clock, poll) });
  return { ...telegramApi({ ...at, fetch: chatFetch(place, clock) }), getUpdates };
}

export function slackFrom(place: ChatPlace, clock: Clock): SlackApi {
  const { token, api } = place;
  const at = { token, ...(api === undefined ? {} : { apiUrl: api }) };
  return slackApi({ ...at, fetch: chatFetch(place, clock) });
}
