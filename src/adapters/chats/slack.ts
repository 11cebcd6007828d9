import type { ChatAnswer } from "../../kernel/chat.ts";
import { slackText } from "../../platform/markup/slack.ts";
import { markdownPieces } from "../channels/parts.ts";
import type { SlackApi } from "../channels/slack-api.ts";
import type { Chat, ChatContext } from "./chat.ts";
import { waitAtMost, listener, withRetry } from "./listener.ts";
import { bodyOf, parsed, refused, isSlackSigned } from "./request.ts";
import { readSlack, type SlackInput } from "./slack-event.ts";
import type { SlackListen } from "./slack-socket.ts";

interface SlackChatOptions extends ChatContext {
  readonly api: SlackApi;
  /** Socket Mode, or signed requests to a public address. */
  readonly mode: { readonly listen: SlackListen } | { readonly signingSecret: string };
}

const blockCharsMax = 3_000;
/** Slack repeats an event that is not acknowledged within 3 s. */
const acknowledgeMs = 2_500;
const [shortMs, restMs] = [10_000, 1_000];

/** An app of Slack's, over Socket Mode or the Events API. */
export function slackChat(options: SlackChatOptions): Chat {
  const { clock, mode } = options;
  const name = "slack";
  const take = async (payload: unknown): Promise<void> => {
    const given = readSlack(payload);
    if (given === undefined) return;
    const send = slackAnswer(given, options, service.signal());
    await waitAtMost(clock, acknowledgeMs, service.inputs.take(given.input, send));
  };
  const service = listener(name, options, async (signal) => {
    if (!("listen" in mode)) return Infinity;
    const began = clock.mono();
    await mode.listen(take, signal);
    // Slack ends each connection after some hours; one that ends at once may be over the limit.
    return clock.mono() - began >= shortMs ? 0 : restMs;
  });
  return {
    name,
    start: service.start,
    stop: service.stop,
    async handle(request) {
      if (!("signingSecret" in mode))
        return refused(404, "This app uses Socket Mode: it has no webhook.");
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const signed = { secret: mode.signingSecret, now: clock.wall() };
      if (!isSlackSigned(request, body, signed)) {
        return refused(401, "The signature is wrong or too old.");
      }
      if (!service.isOpen()) return refused(503, "Temporarily unavailable: send it again later.");
      const payload = payloadIn(request, body);
      if (payload === undefined) return refused(400, "The body cannot be read.");
      const challenge = challengeIn(payload);
      if (challenge !== undefined) return Response.json({ challenge });
      await take(payload);
      return new Response("");
    },
  };
}

/** A press comes as a form, a message as JSON. */
function payloadIn({ headers }: Request, body: string): unknown {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers.get("content-type") ?? "");
  return parsed(isForm ? (new URLSearchParams(body).get("payload") ?? "") : body);
}

/** Slack verifies the address once. */
function challengeIn(payload: unknown): string | undefined {
  const { type, challenge } = (payload ?? {}) as { type?: unknown; challenge?: unknown };
  return type === "url_verification" && typeof challenge === "string" ? challenge : undefined;
}

function slackAnswer(
  given: SlackInput,
  { api, clock }: SlackChatOptions,
  signal: AbortSignal,
): (answer: ChatAnswer) => Promise<void> {
  const context = { clock, signal };
  const { channel, thread, user } = given;
  const at = { channel, thread_ts: thread };
  return async ({ text, mark, toast }) => {
    if (mark !== undefined) await withRetry(() => showMark(api, given, mark), context);
    // The mark already shows on the message what the toast would.
    else if (toast !== undefined) {
      const line = slackText([{ text: toast, marks: [] }]);
      await withRetry(() => api.postEphemeral({ ...at, user, text: line }), context);
    }
    for (const part of markdownPieces(text ?? "", blockCharsMax, slackText)) {
      const blocks = [{ type: "section", text: { type: "mrkdwn", text: part.text }, expand: true }];
      const content = { text: part.text, blocks, unfurl_links: false, unfurl_media: false };
      await withRetry(() => api.post({ ...at, ...content }), context);
    }
  };
}

/** The message with the mark below it, and no buttons. */
async function showMark(
  api: SlackApi,
  { channel, press }: SlackInput,
  mark: string,
): Promise<void> {
  if (press === undefined) return;
  const state = slackText([{ text: mark, marks: [] }]);
  const others = press.blocks.filter(({ type }) => type !== "actions");
  const context = { type: "context", elements: [{ type: "mrkdwn", text: state }] };
  const text = `${press.text}\n${state}`;
  await api.update({ channel, ts: press.ts, text, blocks: [...others, context] });
}
