import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { parseTarget } from "../../../kernel/target.ts";
import type { Json } from "../../../platform/json.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";

type Notification = LedgerRecord<NotificationKind>;

const readMax = 1_000;
const pageMax = 500;

/**
 * The newest notification of the owner whose receipt names a message in a chat. A topic or thread is part of its chat,
 * which numbers the messages.
 */
export async function recordOfMessage(
  book: Book,
  target: string,
  message: string | number,
): Promise<Notification | undefined> {
  const query = { kind: notificationKind, state: "delivered", order: "newest" } as const;
  const chat = chatOf(target);
  let after: string | null | undefined;
  for (let read = 0; read < readMax && after !== null; read += pageMax) {
    const page = await book.list({ ...query, after, limit: pageMax });
    const found = page.records
      .filter((record) => is(notificationKind, record))
      .find((record) => hasMessage(record, chat, String(message)));
    if (found !== undefined) return found;
    after = page.next;
  }
  return undefined;
}

/** Whether a message in a chat belongs to the notification. */
export function isMessageOf(
  record: Notification,
  target: string,
  message: string | number,
): boolean {
  return hasMessage(record, chatOf(target), String(message));
}

function hasMessage({ body, outcome }: Notification, chat: string, message: string): boolean {
  const receipt = receiptOf(outcome?.receipt ?? null);
  if (!receipt.messages.includes(message)) return false;
  // A message to a user, or to a group that moved, arrives in a chat with another id than its target.
  const { channel } = parseTarget(body.target);
  return [chatOf(body.target), `${channel}:${receipt.chat}`].includes(chat);
}

/** A chat channel's receipt: the chat, and the messages that were sent there. */
function receiptOf(receipt: Json): { chat: string; messages: readonly string[] } {
  const { data } = chatReceipt.safeParse(receipt);
  const { chat, channel, messages = [] } = data ?? {};
  return { chat: String(chat ?? channel ?? ""), messages: messages.map(String) };
}

const name = z.union([z.string(), z.number()]);
const chatReceipt = z.object({
  chat: name.optional(),
  channel: name.optional(),
  messages: z.array(name),
});

function chatOf(target: string): string {
  const { channel, address } = parseTarget(target);
  return `${channel}:${address.split(":")[0]}`;
}
