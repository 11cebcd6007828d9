import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { timeOfDay } from "../../time/times.ts";
import type { Message } from "./channel.ts";
import type { NotificationKind } from "./kind.ts";
import { textsOf } from "./texts.ts";
import { maybeDelivered } from "./wait-verdict.ts";

type Notification = LedgerRecord<NotificationKind>;

/** The text of a message, and the language of what a channel adds to it. */
export type Words = Pick<Message, "text" | "language">;

export function wordsFor({ language }: Profile, text: string): Words {
  return { text, language };
}

/** A notification as its channel gets it. */
export function messageFrom(record: Notification, address: string, words: Words): Message {
  const { id, owner, priority, body, parent } = record;
  const maybeRepeat = maybeDelivered(record);
  return {
    id,
    owner,
    address,
    ...words,
    type: body.type ?? "reminder",
    priority,
    at: body.at,
    maybeRepeat,
    ...(parent === null ? {} : { follows: parent }),
    ...(body.change === undefined ? {} : { change: body.change }),
  };
}

export function digestText(
  members: readonly { readonly body: { readonly at: number; readonly message: string } }[],
  { zone, language }: Profile,
): string {
  const [first] = members;
  if (members.length === 1 && first) return first.body.message;
  const lines = members.map(({ body }) => `${timeOfDay(body.at, zone)}  ${body.message}`);
  return [textsOf(language).digest({ count: members.length }), ...lines].join("\n");
}
