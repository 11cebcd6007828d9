import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { parseTarget } from "../../../kernel/target.ts";
import type { Json } from "../../../platform/json.ts";
import { type NotificationKind, notificationKind } from "../kind.ts";

type Notification = LedgerRecord<NotificationKind>;

const lookedAtMax = 1_000;
const pageMax = 500;

/**
 * The notification that a message in a chat belongs to, by its receipt: the newest of the owner's that was sent
 * there. A topic or thread is part of its chat, in which the numbers of messages are counted.
 */
export async function recordOfMessage(
  book: Book,
  target: string,
  message: string | number,
): Promise<Notification | undefined> {
  const query = { kind: notificationKind, state: "delivered", order: "newest" } as const;
  const chat = chatOf(target);
  let after: string | null | undefined;
  for (let seen = 0; seen < lookedAtMax && after !== null; seen += pageMax) {
    const from = after === undefined ? {} : { after };
    const page = await book.list({ ...query, ...from, limit: pageMax });
    const found = page.records
      .filter((record) => is(notificationKind, record))
      .find((record) => hasMessage(record, chat, String(message)));
    if (found !== undefined) return found;
    after = page.next;
  }
  return undefined;
}

/** Whether it is what a message in a chat says. */
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
  // A message to a user is in another chat than it was sent to, and so is one to a group that moved.
  const { channel } = parseTarget(body.target);
  return [chatOf(body.target), `${channel}:${receipt.chat}`].includes(chat);
}

/** A chat channel's receipt: the chat, and the messages that were sent there. */
function receiptOf(receipt: Json): { chat: string; messages: readonly string[] } {
  const { data } = proof.safeParse(receipt);
  const { chat, channel, messages = [] } = data ?? {};
  return { chat: String(chat ?? channel ?? ""), messages: messages.map(String) };
}

const name = z.union([z.string(), z.number()]);
const proof = z.object({
  chat: name.optional(),
  channel: name.optional(),
  messages: z.array(name),
});

function chatOf(target: string): string {
  const { channel, address } = parseTarget(target);
  return `${channel}:${address.split(":")[0]}`;
}
