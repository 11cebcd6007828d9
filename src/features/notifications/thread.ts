import { parseTarget } from "../../kernel/target.ts";
import type { Json } from "../../platform/json.ts";
import { slackAddress, telegramAddress } from "../accounts/chat-address.ts";
import { messagesIn } from "./mark.ts";

/** Whether a target is a thread already. What answers there needs no other. */
export function isThread(target: string): boolean {
  const { channel, address } = parseTarget(target);
  try {
    if (channel === "slack") return slackAddress(address).thread !== undefined;
    if (channel === "telegram") return telegramAddress(address).thread !== undefined;
  } catch {
    return false; // whoever is asked to say it there says what is wrong with it
  }
  return false;
}

/** The thread in Slack that a message began or stands in, by its proof. A person's id has become a channel's. */
export function slackThread(address: string, receipt: Json): string | undefined {
  const { channel, thread } = (receipt ?? {}) as { channel?: Json; thread?: Json };
  const [first] = messagesIn(receipt);
  const root = typeof thread === "string" ? thread : first;
  const place = typeof channel === "string" ? channel : slackAddress(address).channel;
  return root === undefined ? undefined : `${place}:${root}`;
}

/** Telegram has no threads but topics, which stay as they are; a chat that moved is followed. */
export function telegramThread(address: string, receipt: Json): string | undefined {
  const { thread } = telegramAddress(address);
  const { chat } = (receipt ?? {}) as { chat?: Json };
  if (typeof chat !== "number") return undefined;
  return thread === undefined ? String(chat) : `${chat}:${thread}`;
}

/** Where what belongs to a message is said; undefined: nowhere else than the message was. */
export function threadOf(target: string, receipt: Json): string | undefined {
  const { channel, address } = parseTarget(target);
  if (channel === "slack") return named(channel, slackThread(address, receipt));
  return channel === "telegram" ? named(channel, telegramThread(address, receipt)) : undefined;
}

function named(channel: string, address: string | undefined): string | undefined {
  return address === undefined ? undefined : `${channel}:${address}`;
}
