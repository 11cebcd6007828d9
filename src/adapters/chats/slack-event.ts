import * as z from "zod";
import { slackEvent } from "../sources/slack.ts";
import type { ChatInput } from "./chat.ts";

/** An input, and what is needed to answer it. */
export interface SlackInput {
  readonly input: ChatInput;
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly user: string;
  readonly press?: {
    readonly ts: string;
    readonly text: string;
    readonly blocks: readonly { readonly type: string }[];
  };
}

const event = z.object({
  type: z.enum(["message", "app_mention"]),
  user: z.string().min(1),
  text: z.string(),
  ts: z.string(),
  channel: z.string(),
  channel_type: z.string().optional(),
  thread_ts: z.string().optional(),
  /** A person's message has none, or one of these. */
  subtype: z.enum(["thread_broadcast", "file_share"]).optional(),
  bot_id: z.undefined().optional(),
});
const message = z.object({
  event,
  authorizations: z.array(z.object({ user_id: z.string() })).default([]),
});
const pressed = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string().min(1), username: z.string().optional() }),
  container: z.object({
    message_ts: z.string(),
    channel_id: z.string(),
    thread_ts: z.string().optional(),
  }),
  message: z
    .object({
      text: z.string().default(""),
      blocks: z.array(z.looseObject({ type: z.string() })).default([]),
    })
    .default({ text: "", blocks: [] }),
  actions: z.array(z.object({ value: z.string(), action_ts: z.string() })).min(1),
});

/** Reads an event of Slack's; undefined: neither a person's message nor a pressed button. */
export function readSlack(payload: unknown): SlackInput | undefined {
  const { data } = message.safeParse(payload);
  if (data !== undefined) return textIn(data.event, data.authorizations[0]?.user_id);
  const { data: press } = pressed.safeParse(payload);
  return press === undefined ? undefined : pressIn(press);
}

function textIn(
  {
    type,
    user,
    text,
    ts,
    channel,
    channel_type: channelType,
    thread_ts: root,
  }: z.infer<typeof event>,
  bot: string | undefined,
): SlackInput {
  const thread = root === ts ? undefined : root;
  const mention = new RegExp(`^\\s*<@${bot ?? "nobody"}(?:\\|[^>]*)?>[\\s,:]*`);
  const isMention = type === "app_mention" || mention.test(text);
  const plainText = plain(text.replace(mention, ""));
  return {
    input: {
      channel: "slack",
      // Slack may send one message as two events.
      id: `${channel}.${ts}`,
      sender: { id: user, name: user },
      address: addressOf(channel, thread),
      content: {
        text: plainText,
        replyTo: thread,
        inThread: thread !== undefined,
        overheard: channelType !== "im" && !isMention,
        event: slackEvent({ thread, channel, user, ts, text: plainText, isMention }),
      },
    },
    channel,
    thread,
    user,
  };
}

function pressIn({ user, container, message, actions }: z.infer<typeof pressed>): SlackInput {
  const { message_ts: ts, channel_id: channel, thread_ts: root } = container;
  const thread = root === ts ? undefined : root;
  const [{ value, action_ts: at } = { value: "", action_ts: "" }] = actions;
  return {
    input: {
      channel: "slack",
      id: `press.${channel}.${ts}.${user.id}.${at}`,
      sender: { id: user.id, name: user.username ?? user.id },
      address: addressOf(channel, thread),
      content: { pressed: value, message: ts },
    },
    channel,
    thread,
    user: user.id,
    press: { ts, ...message },
  };
}

function addressOf(channel: string, thread: string | undefined): string {
  return thread === undefined ? channel : `${channel}:${thread}`;
}

/** The text as it was typed: Slack wraps the addresses that it finds. */
function plain(text: string): string {
  return text
    .replaceAll(/<#[A-Z\d]+\|([^>]*)>/g, "#$1")
    .replaceAll(/<(?:https?|mailto|tel):[^|>]*\|([^>]*)>/g, "$1")
    .replaceAll(/<((?:https?|mailto|tel):[^|>]*)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
