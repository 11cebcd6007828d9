import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Json } from "../../platform/json.ts";
import { slackAddress, telegramAddress } from "../accounts/index.ts";
import type { Channel } from "./channel.ts";
import { type NotificationKind, notificationKind } from "./kind.ts";
import { messagesIn } from "./mark.ts";

/** Whether a target is a thread already. */
export function isThread(target: string): boolean {
  const { channel, address } = parseTarget(target);
  try {
    if (channel === "slack") return slackAddress(address).thread !== undefined;
    if (channel === "telegram") return telegramAddress(address).thread !== undefined;
  } catch {
    return false; // the channel reports what is wrong with it
  }
  return false;
}

/** The Slack thread that a message started or belongs to, by its receipt. A person's id has become a channel's. */
export function slackThread(address: string, receipt: Json): string | undefined {
  const { channel, thread } = (receipt ?? {}) as { channel?: Json; thread?: Json };
  const [first] = messagesIn(receipt);
  const root = typeof thread === "string" ? thread : first;
  const sentTo = typeof channel === "string" ? channel : slackAddress(address).channel;
  return root === undefined ? undefined : `${sentTo}:${root}`;
}

/** Telegram has topics instead of threads, and these stay; a chat that moved has a new id in the receipt. */
export function telegramThread(address: string, receipt: Json): string | undefined {
  const { thread } = telegramAddress(address);
  const { chat } = (receipt ?? {}) as { chat?: Json };
  if (typeof chat !== "number") return undefined;
  return thread === undefined ? String(chat) : `${chat}:${thread}`;
}

/** The target of the thread that a message started or belongs to; undefined: it has none. */
export function threadOf(target: string, receipt: Json): string | undefined {
  const { channel, address } = parseTarget(target);
  if (channel === "slack") return targetOf(channel, slackThread(address, receipt));
  return channel === "telegram" ? targetOf(channel, telegramThread(address, receipt)) : undefined;
}

function targetOf(channel: string, address: string | undefined): string | undefined {
  return address === undefined ? undefined : `${channel}:${address}`;
}

type Notification = Claimed<NotificationKind>;

/** The first message of a thread is read again after this: less often, the longer it takes. */
const waitMsMin = 100;
const waitMsMax = 60_000;

const cachedMax = 1_000;

/** The first message of a thread; it never changes once it is delivered. */
interface FirstMessage {
  readonly owner: string;
  readonly target: string;
  readonly receipt: Json;
}

export interface Threads {
  /** The target of a notification in its thread; or `waits` while the first message of the thread is in flight. */
  find(record: Notification): Promise<{ target: string } | { result: "waits"; afterMs: number }>;
  /** Caches a delivered first message, so that others of its thread need not read it. */
  cache(record: Notification, verdict: Verdict<NotificationKind>): void;
}

export function threadLookup(ledger: Ledger, channels: readonly Channel[]): Threads {
  const cached = new Map<string, FirstMessage>();
  const read = async (
    record: Notification,
    id: string,
  ): Promise<FirstMessage | "waits" | undefined> => {
    const first = await ledger.of(record.owner, record.by).get(id);
    if (!is(notificationKind, first)) return undefined;
    if (first.endedAt === null) return "waits";
    if (first.state !== "delivered") return undefined;
    const { owner, body, outcome } = first;
    return { owner, target: body.target, receipt: outcome?.receipt ?? null };
  };
  return {
    cache({ id, owner, body }, verdict) {
      if (body.seedType !== "thread_start" || !("ends" in verdict)) return;
      if (verdict.ends !== "delivered") return;
      if (cached.size >= cachedMax) cached.clear();
      cached.set(id, { owner, target: body.target, receipt: verdict.outcome?.receipt ?? null });
    },
    async find(record) {
      const { thread, target, at } = record.body;
      const { channel: name } = parseTarget(target);
      const threadOf = channels.find((channel) => channel.name === name)?.threadOf;
      if (thread === undefined || threadOf === undefined) return { target };
      const inCache = cached.get(thread.of);
      const isOwn = inCache?.owner === record.owner;
      const first = isOwn ? inCache : await read(record, thread.of);
      if (first === "waits") {
        const longMs = (record.lease.claimedAt - at) / 2;
        return { result: "waits", afterMs: Math.min(Math.max(longMs, waitMsMin), waitMsMax) };
      }
      if (first === undefined) return { target };
      const start = parseTarget(first.target);
      if (start.channel !== name) return { target };
      const address = readThread(() => threadOf(start.address, first.receipt));
      return { target: address === undefined ? target : `${name}:${address}` };
    },
  };
}

/** A plugin's channel may throw or return anything: then the message has no thread. */
function readThread(read: () => unknown): string | undefined {
  try {
    const address = read();
    return typeof address === "string" && /^\S{1,200}$/.test(address) ? address : undefined;
  } catch {
    return undefined;
  }
}
