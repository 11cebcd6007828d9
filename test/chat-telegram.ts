import type { TestContext } from "node:test";
import { telegramApi } from "../src/adapters/channels/telegram-api.ts";
import { telegram } from "../src/adapters/channels/telegram.ts";
import type { Channel } from "../src/features/notifications/channel.ts";
import { systemClock } from "../src/platform/clock.ts";
import { safeFetch } from "../src/platform/fetch.ts";
import { telegramServer, type TelegramServer } from "../src/testing/chats/telegram-server.ts";

/** A group with the topics 7 and 8. */
export const group = -1_001_234_567_890;

/** The channel over real connections, and the service at their other end: a group, and Mina's own chat. */
export async function telegramHere(
  t: TestContext,
): Promise<{ peer: TelegramServer; channel: Channel }> {
  const peer = await telegramServer({
    chats: { 7: { type: "private" }, [group]: { type: "supergroup", topics: [7, 8] } },
  });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 30_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [peer.host] });
  const api = telegramApi({ token: peer.token, apiRoot: peer.url, fetch });
  return { peer, channel: telegram({ api }) };
}
