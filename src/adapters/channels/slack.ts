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
import { richPieces, sendInParts, type Part } from "./parts.ts";
import type { SlackApi, SlackMessageRef } from "./slack-api.ts";
import { fileRefused, refused } from "./slack-refusal.ts";
import type { TextFile } from "./text-file.ts";
import { withinMessages } from "./within-messages.ts";

type SlackTarget = ReturnType<typeof slackAddress>;

/** The most characters of one block. */
const charsMax = 3_000;

/** Sends messages to `slack:{channel}` or `slack:{channel}:{thread_ts}`. */
export function slack({
  api,
  messagesMax,
}: {
  api: SlackApi;
  /** The most messages of one text; a longer one is sent as a file. */
  messagesMax?: number | undefined;
}): Channel {
  return {
    name: "slack",
    readAddress: slackAddress,
    takesLong: true,
    send: sendInParts({
      split: withinMessages(richPieces(charsMax, slackText), { charsMax, messagesMax }),
      read: slackAddress,
      sendPart: (part, ...to) =>
        part.file === undefined
          ? sendPart(api, part, ...to)
          : sendFile(api, { ...part, file: part.file }, ...to),
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

async function sendFile(
  api: SlackApi,
  { text: comment, file: content, receipts }: Part & { file: TextFile },
  { channel: address, thread: thread_ts }: SlackTarget,
  signal: AbortSignal,
): Promise<Sent> {
  // The answer to the part before names the channel that the bot has with a person.
  const { channel = address } = (receipts.at(-1) ?? {}) as Partial<SlackMessageRef>;
  const reading = { signal, refused: fileRefused };
  let file: string;
  try {
    file = await api.upload(content, signal);
  } catch (error) {
    const sent = sentAfter(error, "Slack", reading);
    // Nobody sees what is only uploaded.
    return sent.result === "unknown" ? { result: "retry", reason: sent.reason } : sent;
  }
  try {
    await api.share({ file, channel, thread_ts, comment }, signal);
    return { result: "delivered", receipt: { channel, file } };
  } catch (error) {
    return sentAfter(error, "Slack", reading);
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
  const parts = receipts as unknown as readonly (Partial<SlackMessageRef> & { file?: string })[];
  const messages = parts.flatMap(({ ts = [] }) => ts);
  const { file, ...last } = parts.at(-1) ?? {};
  return present({ channel: last.channel ?? channel, thread, messages, file });
}
