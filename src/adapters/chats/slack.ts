import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { slackText } from "../../platform/markup/slack.ts";
import type { SlackApi } from "../channels/slack-api.ts";
import type { Chat, Hear, Told } from "./chat.ts";
import { inOrder } from "./conversations.ts";
import { atMost, listening, patiently } from "./polling.ts";
import { bodyOf, parsed, refused, isSlackSigned } from "./request.ts";
import { readSlack, type SlackHeard } from "./slack-event.ts";
import type { SlackListen } from "./slack-socket.ts";
import { written, writtenPlain } from "./written.ts";

interface SlackChatOptions {
  readonly api: SlackApi;
  readonly hear: Hear;
  readonly log: Log;
  readonly clock: Clock;
  /** Listens over a socket, or is told at a public address by requests that are signed. */
  readonly mode: { readonly listen: SlackListen } | { readonly signingSecret: string };
}

const blockCharsMax = 3_000;
/** Slack tells again what is not acknowledged within 3 s. */
const acknowledgeMs = 2_500;
const [shortMs, restMs] = [10_000, 1_000];

/** Hears an app of Slack, by Socket Mode or the Events API, and answers there. */
export function slackChat(options: SlackChatOptions): Chat {
  const { hear, log, clock, mode } = options;
  const name = "slack";
  const ears = inOrder({ hear, log });
  const take = async (payload: unknown): Promise<void> => {
    const told = readSlack(payload);
    if (told === undefined) return;
    const answer = slackAnswer(told, { ...options, signal: service.signal() });
    await atMost(clock, acknowledgeMs, ears.hear(told.heard, answer));
  };
  const service = listening({
    name,
    clock,
    log,
    idle: ears.idle,
    async listen(signal) {
      if (!("listen" in mode)) return Infinity;
      const began = clock.mono();
      await mode.listen(take, signal);
      // Slack ends each connection after some hours; one that ends sooner may be one too many.
      return clock.mono() - began >= shortMs ? 0 : restMs;
    },
  });
  return {
    name,
    start: service.start,
    stop: service.stop,
    async handle(request) {
      if (!("signingSecret" in mode)) return refused(404, "This app is not told: it listens.");
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      const signed = { secret: mode.signingSecret, now: clock.wall() };
      if (!isSlackSigned(request, body, signed)) {
        return refused(401, "The signature is wrong, or too old.");
      }
      if (!service.isOpen()) return refused(503, "Not now: tell it again later.");
      const payload = payloadIn(request, body);
      if (payload === undefined) return refused(400, "The body cannot be read.");
      const challenge = challengeIn(payload);
      if (challenge !== undefined) return Response.json({ challenge });
      await take(payload);
      return new Response("");
    },
  };
}

/** What is pressed comes in a form, what is said as it is. */
function payloadIn({ headers }: Request, body: string): unknown {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers.get("content-type") ?? "");
  return parsed(isForm ? (new URLSearchParams(body).get("payload") ?? "") : body);
}

/** Slack asks once whether an address is ours. */
function challengeIn(payload: unknown): string | undefined {
  const { type, challenge } = (payload ?? {}) as { type?: unknown; challenge?: unknown };
  return type === "url_verification" && typeof challenge === "string" ? challenge : undefined;
}

interface Answering {
  readonly api: SlackApi;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

function slackAnswer(told: SlackHeard, answering: Answering): (answer: Told) => Promise<void> {
  const { api } = answering;
  const { channel, thread, user } = told;
  const at = { channel, ...(thread === undefined ? {} : { thread_ts: thread }) };
  return async ({ text, mark, toast }) => {
    if (mark !== undefined) await patiently(() => show(api, told, mark), answering);
    // What the message itself shows need not be said beside it.
    else if (toast !== undefined) {
      const shown = writtenPlain(toast, slackText);
      await patiently(() => api.postEphemeral({ ...at, user, text: shown }), answering);
    }
    for (const part of written(text ?? "", blockCharsMax, slackText)) {
      const blocks = [{ type: "section", text: { type: "mrkdwn", text: part.text }, expand: true }];
      const content = { text: part.text, blocks, unfurl_links: false, unfurl_media: false };
      await patiently(() => api.post({ ...at, ...content }), answering);
    }
  };
}

/** The message as it was, its new state under it, and no buttons. */
async function show(api: SlackApi, { channel, press }: SlackHeard, mark: string): Promise<void> {
  if (press === undefined) return;
  const state = writtenPlain(mark, slackText);
  const kept = press.blocks.filter(({ type }) => type !== "actions");
  const context = { type: "context", elements: [{ type: "mrkdwn", text: state }] };
  const text = `${press.text}\n${state}`;
  await api.update({ channel, ts: press.ts, text, blocks: [...kept, context] });
}
