import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";

/** A Telegram chat, or a topic in it. */
export interface TelegramAddress {
  chat: number;
  readonly thread?: number;
}

/** A Slack channel or person, or a thread in a channel. */
export interface SlackAddress {
  channel: string;
  readonly thread?: string;
}

const telegramShape = /^(-?[1-9]\d{0,15})(?::([1-9]\d{0,9}))?$/;
/** Telegram stores the id of a topic in 31 bits. */
const threadMax = 2 ** 31 - 1;
const slackShape = /^([CDGUW][A-Z0-9]{1,30})(?::(\d{1,12}\.\d{6}))?$/;
const discordShape = /^[1-9]\d{0,19}$/;
const discordMax = 2n ** 64n - 1n;
/** No quotes, comments or literals: they are not in real use, and they let one address be read as two. */
const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain = /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.(?!$)|$))+$/u;
const localBytesMax = 64;

const topicShape = /^[-_A-Za-z0-9]{1,64}$/;

/** Throws an error for an address that its channel cannot read. It looks at nothing else. */
export type AddressReader = (address: string) => unknown;

/** The readers of Daybook's own channels. Any address is good on the others. */
export const addressReadersOfOwn: Readonly<Record<string, AddressReader>> = {
  telegram: telegramAddress,
  slack: slackAddress,
  discord: discordAddress,
  email: emailAddress,
  ntfy: ntfyTopic,
};

/** Reads `{chat}` or `{chat}:{thread}`. A group's id is negative. */
export function telegramAddress(address: string): TelegramAddress {
  const [, chatText = "", threadText] = telegramShape.exec(address) ?? [];
  const chat = Number(chatText);
  const thread = Number(threadText ?? 1);
  if (chatText === "" || !Number.isSafeInteger(chat) || thread > threadMax) {
    const example = "telegram:-1001234567890, or telegram:-1001234567890:7 for a topic";
    throw invalid(address, "a Telegram chat", example);
  }
  return present({ chat, thread: threadText === undefined ? undefined : thread });
}

/** Reads `{channel}` or `{channel}:{thread_ts}`. */
export function slackAddress(address: string): SlackAddress {
  const [, channel, thread] = slackShape.exec(address) ?? [];
  if (channel === undefined) {
    const example = "slack:C0123456789, or slack:C0123456789:1700000000.000100 for a thread";
    throw invalid(address, "a Slack channel", example);
  }
  return present({ channel, thread });
}

/** Reads `{channel}`; a thread is a channel too. */
export function discordAddress(address: string): { readonly channel: string } {
  if (!discordShape.test(address) || BigInt(address) > discordMax) {
    throw invalid(address, "a Discord channel", "discord:1234567890123456789");
  }
  return { channel: address };
}

/** Reads one plain address, without a name. */
export function emailAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [name, host] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  const isName = Buffer.byteLength(name) <= localBytesMax && local.test(name);
  if (!isName || !domain.test(host))
    throw invalid(address, "an e-mail address", "email:me@example.org");
  return address;
}

/** Reads a topic: whoever knows its name can read it. */
export function ntfyTopic(address: string): string {
  if (!topicShape.test(address)) {
    const shape = "ntfy:my-topic, with up to 64 letters, digits, - and _";
    throw invalid(address, "an ntfy topic", shape);
  }
  return address;
}

function invalid(address: string, what: string, example: string): DaybookError {
  const sentence = `${quote(address)} is not ${what}: write the target like ${example}.`;
  return new DaybookError("invalid", sentence);
}
