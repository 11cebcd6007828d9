import {
  slackMentionName,
  slackMessageName,
  slackReplyName,
} from "../../features/events/catalogue.ts";
import type { SourceEvent } from "../../features/events/poll-result.ts";
import type { Json } from "../../platform/json.ts";

/** What was said to us in Slack, as the chat heard it. */
export interface SlackSaid {
  readonly channel: string;
  /** Who said it. */
  readonly user: string;
  readonly text: string;
  /** Slack's own name for the message: `1707300000.000100`. */
  readonly ts: string;
  /** The thread it was said in. */
  readonly thread?: string;
  readonly isMention: boolean;
  /** What whoever asked in that thread wants back, unread. */
  readonly context?: Json;
}

const source = "slack";

/** A reply in a thread, a mention, or a message, as an event. Who hears it twice names it alike. */
export function slackEvent(said: SlackSaid): SourceEvent {
  const { channel, user, text, ts, thread, context } = said;
  const isReply = thread !== undefined && thread !== ts;
  const at = Math.floor(Number(ts) * 1_000);
  const common = { repo: null, at: Number.isSafeInteger(at) && at >= 0 ? at : 0, actor: user };
  const payload = { text, channel, user, message_ts: ts, thread_ts: thread ?? ts };
  const origin = `slack:${channel}:${thread ?? ts}`;
  if (isReply) {
    const answer = context === undefined ? {} : { reply_context: context };
    return {
      ...common,
      origin,
      name: slackReplyName(source, thread, ts),
      type: "slack.thread.reply",
      payload: { ...payload, ...answer },
    };
  }
  const name = said.isMention ? slackMentionName(source, ts) : slackMessageName(source, ts);
  const type = said.isMention ? "slack.app_mention" : "slack.channel.message";
  return { ...common, origin, name, type, payload };
}
