import { slackAddress } from "../../features/accounts/index.ts";
import {
  type Channel,
  type Mark,
  type Sent,
  slackThread,
} from "../../features/notifications/index.ts";
import { type Json, present } from "../../platform/json.ts";
import { slackText } from "../../platform/markup/slack.ts";
import { buttonsFor, missingMessage, lastMessage, lastPart, shownOn } from "./buttons.ts";
import { sentAfter } from "./chat-client.ts";
import { richPieces, sendInParts, withinMessages, type Part } from "./parts.ts";
import type { SlackApi, SlackMessageRef } from "./slack-api.ts";

type SlackTarget = ReturnType<typeof slackAddress>;

/** The most characters of one block. */
const charsMax = 3_000;

/** Sends messages to `slack:{channel}` or `slack:{channel}:{thread_ts}`. */
export function slack({
  api,
  messagesMax,
}: {
  api: SlackApi;
  /** The most messages of one text. */
  messagesMax?: number | undefined;
}): Channel {
  return {
    name: "slack",
    readAddress: slackAddress,
    takesLong: true,
    send: sendInParts({
      split: withinMessages(richPieces(charsMax, slackText), { charsMax, messagesMax }),
      read: slackAddress,
      sendPart: (...part) => sendPart(api, ...part),
      receiptOf,
    }),
    mark: (mark, { signal }) => showMark(api, mark, signal),
    threadOf: slackThread,
  };
}

async function sendPart(
  api: SlackApi,
  part: Part,
  to: SlackTarget,
  signal: AbortSignal,
): Promise<Sent> {
  const { channel, thread: thread_ts } = to;
  // A preview would fetch a link before anybody chose to open it.
  const quiet = { unfurl_links: false, unfurl_media: false };
  const content = { text: part.text, blocks: blocksOf(part) };
  try {
    const posted = await api.post({ channel, thread_ts, ...content, ...quiet }, signal);
    // A person's id becomes the channel that the bot has with them.
    to.channel = posted.channel;
    return { result: "delivered", receipt: { channel: posted.channel, ts: posted.ts } };
  } catch (error) {
    return sentAfter(error, "Slack", { signal, refused });
  }
}

/** The last part as it was sent, with the mark in place of the buttons. */
async function showMark(api: SlackApi, mark: Mark, signal: AbortSignal): Promise<Sent> {
  const text = slackText(lastPart(mark, { sizeMax: charsMax, write: slackText }));
  const state = slackText([{ text: mark.mark, marks: [] }]);
  const context = { type: "context", elements: [{ type: "mrkdwn", text: state }] };
  const content = { text: `${text}\n${state}`, blocks: [section(text), context] };
  const { chat, message } = lastMessage(mark.receipt);
  try {
    await api.update({ channel: String(chat), ts: String(message), ...content }, signal);
    return shownOn(message);
  } catch (error) {
    const editRefused = (code: string, status: number): Sent =>
      missing.includes(code) ? missingMessage(code) : refused(code, status);
    return sentAfter(error, "Slack", { signal, refused: editRefused });
  }
}

const missing: readonly string[] = [
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
];

function section(text: string): object {
  return { type: "section", text: { type: "mrkdwn", text }, expand: true };
}

function blocksOf(part: Part): readonly object[] {
  const text = section(part.text);
  const buttons = part.part === part.of ? buttonsFor(part.fullMessage) : [];
  if (buttons.length === 0) return [text];
  const elements = buttons.map(({ label, data }) => ({
    type: "button",
    text: { type: "plain_text", text: label },
    action_id: data,
    value: data,
  }));
  return [text, { type: "actions", elements }];
}

function receiptOf({ channel, thread }: SlackTarget, receipts: readonly Json[]): Json {
  const parts = receipts as unknown as readonly SlackMessageRef[];
  const messages = parts.map(({ ts }) => ts);
  return present({ channel: parts.at(-1)?.channel ?? channel, thread, messages });
}

/** Slack failed before it began. */
const passing: readonly string[] = [
  "ratelimited",
  "rate_limited",
  "service_unavailable",
  "team_added_to_org",
];
/** Slack failed midway: the message may have been posted. */
const halfway: readonly string[] = ["internal_error", "fatal_error", "request_timeout"];

const badToken = "the token is not valid any more: set DAYBOOK_SLACK_TOKEN to the app's bot token";
const gone =
  "the channel does not exist, or the app is not in it: check the id, and invite the app";
const barred = "the app may not post there: allow it, or choose another target";

/** The meaning of a refusal, and what to do about it. */
const meanings: Readonly<Record<string, string>> = {
  channel_not_found: gone,
  user_not_found: "the person is not in the workspace: check the id",
  thread_not_found: "the thread is deleted: choose another target",
  is_archived: "the channel is archived: choose another target",
  not_in_channel: "the app is not in the channel: invite it",
  account_inactive: badToken,
  invalid_auth: badToken,
  not_authed: badToken,
  token_expired: badToken,
  token_revoked: badToken,
  not_allowed_token_type: badToken,
  missing_scope: "the app lacks the scope chat:write: add it, and install the app again",
  messages_tab_disabled: "the app accepts no messages: turn on its Messages tab",
  restricted_action: barred,
  restricted_action_read_only_channel: barred,
  restricted_action_thread_only_channel: barred,
};

function refused(code: string, status: number): Sent {
  if (passing.includes(code)) {
    return { result: "retry", reason: `Slack answered ${code}`, destinationDown: true };
  }
  if (halfway.includes(code)) return { result: "unknown", reason: `Slack answered ${code}` };
  if (status === 200 && !/^\w{1,80}$/.test(code)) {
    const toDo = "check DAYBOOK_SLACK_API";
    return { result: "unknown", reason: `the answer is not from Slack: ${toDo}` };
  }
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : "Slack refused the message";
  return { result: "rejected", reason: `${meaning} (${code === "" ? status : code})` };
}
