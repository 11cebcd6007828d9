import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { present } from "../../platform/json.ts";
import { timeOfDay } from "../../time/times.ts";
import type { Message } from "./channel.ts";
import type { NotificationKind } from "./kind.ts";
import { textsOf } from "./texts.ts";
import { maybeDelivered } from "./wait-verdict.ts";

type Notification = LedgerRecord<NotificationKind>;

/** The text of a message, and the language of the texts that a channel adds to it. */
export type Rendered = Pick<Message, "text" | "language">;

export function renderedFor({ language }: Profile, text: string): Rendered {
  return { text, language };
}

/** A notification as its channel receives it. */
export function messageFrom(record: Notification, address: string, text: Rendered): Message {
  const { id, owner, priority, body, parent } = record;
  const maybeRepeat = maybeDelivered(record);
  return present({
    id,
    owner,
    address,
    ...text,
    type: body.type ?? "reminder",
    priority,
    at: body.at,
    maybeRepeat,
    follows: parent ?? undefined,
    change: body.change,
  });
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
