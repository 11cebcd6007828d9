import * as z from "zod";
import { slackEvent } from "../sources/slack.ts";
import type { Heard } from "./chat.ts";

/** Something that happened, and what is needed to answer it. */
export interface SlackHeard {
  readonly heard: Heard;
  readonly channel: string;
  readonly thread?: string;
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
  /** What a person says has none, or one of these. */
  subtype: z.enum(["thread_broadcast", "file_share"]).optional(),
  bot_id: z.undefined().optional(),
});
const told = z.object({
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

/** Reads what Slack tells. Nothing: it is none that somebody said to us. */
export function readSlack(payload: unknown): SlackHeard | undefined {
  const said = told.safeParse(payload).data;
  if (said !== undefined) {
    const [bot] = said.authorizations;
    return saidIn(said.event, bot?.user_id);
  }
  const { data: press } = pressed.safeParse(payload);
  return press === undefined ? undefined : pressedIn(press);
}

function saidIn(
  { type, user, text, ts, channel, channel_type: sort, thread_ts: root }: z.infer<typeof event>,
  bot: string | undefined,
): SlackHeard {
  const thread = root === undefined || root === ts ? {} : { thread: root };
  const called = new RegExp(`^\\s*<@${bot ?? "nobody"}(?:\\|[^>]*)?>[\\s,:]*`);
  const isCalled = type === "app_mention" || called.test(text);
  const words = plain(text.replace(called, ""));
  const answers = thread.thread === undefined ? {} : { replyTo: thread.thread, inThread: true };
  return {
    heard: {
      channel: "slack",
      // One message can be told as two events.
      id: `${channel}.${ts}`,
      sender: { id: user, name: user },
      place: placeOf(channel, thread.thread),
      what: {
        said: words,
        ...answers,
        overheard: sort !== "im" && !isCalled,
        event: slackEvent({ ...thread, channel, user, ts, text: words, isMention: isCalled }),
      },
    },
    channel,
    ...thread,
    user,
  };
}

function pressedIn({ user, container, message, actions }: z.infer<typeof pressed>): SlackHeard {
  const { message_ts: ts, channel_id: channel, thread_ts: root } = container;
  const thread = root === undefined || root === ts ? {} : { thread: root };
  const [{ value, action_ts: at } = { value: "", action_ts: "" }] = actions;
  return {
    heard: {
      channel: "slack",
      id: `press.${channel}.${ts}.${user.id}.${at}`,
      sender: { id: user.id, name: user.username ?? user.id },
      place: placeOf(channel, thread.thread),
      what: { pressed: value, message: ts },
    },
    channel,
    ...thread,
    user: user.id,
    press: { ts, ...message },
  };
}

function placeOf(channel: string, thread: string | undefined): string {
  return thread === undefined ? channel : `${channel}:${thread}`;
}

/** As it was typed: an address that Slack found in it is what it is called. */
function plain(text: string): string {
  return text
    .replaceAll(/<#[A-Z\d]+\|([^>]*)>/g, "#$1")
    .replaceAll(/<(?:https?|mailto|tel):[^|>]*\|([^>]*)>/g, "$1")
    .replaceAll(/<((?:https?|mailto|tel):[^|>]*)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
