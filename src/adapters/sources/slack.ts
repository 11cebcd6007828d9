import {
  slackMentionName,
  slackMessageName,
  slackReplyName,
  type SourceEvent,
} from "../../features/events/index.ts";
import { type Json, present } from "../../platform/json.ts";

/** A person's message in Slack. */
export interface SlackMessage {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  /** Slack's id of the message: `1707300000.000100`. */
  readonly ts: string;
  readonly thread?: string | undefined;
  readonly isMention: boolean;
  /** The context that the asker of the thread wants back, uninterpreted. */
  readonly context?: Json;
}

const source = "slack";

/** A reply in a thread, a mention, or a message, as an event. A repeat has the same name. */
export function slackEvent(message: SlackMessage): SourceEvent {
  const { channel, user, text, ts, thread, context, isMention } = message;
  const isReply = thread !== undefined && thread !== ts;
  const at = Math.floor(Number(ts) * 1_000);
  const common = { repo: null, at: Number.isSafeInteger(at) && at >= 0 ? at : 0, actor: user };
  const payload = { text, channel, user, message_ts: ts, thread_ts: thread ?? ts };
  const origin = `slack:${channel}:${thread ?? ts}`;
  if (isReply) {
    return {
      ...common,
      origin,
      name: slackReplyName(source, thread, ts),
      type: "slack.thread.reply",
      payload: present({ ...payload, reply_context: context }),
    };
  }
  const name = isMention ? slackMentionName(source, ts) : slackMessageName(source, ts);
  const type = isMention ? "slack.app_mention" : "slack.channel.message";
  return { ...common, origin, name, type, payload };
}
