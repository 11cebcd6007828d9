import type { ChatAnswer, ChatCommand } from "../../kernel/chat.ts";
import { sleep } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { FetchRequest, SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { redact } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { discordAgent, discordApi } from "../channels/discord.ts";
import type { Chat, ChatContext } from "./chat.ts";
import type { Conversations } from "./conversations.ts";
import {
  discordAnswer,
  discordLater,
  type DiscordAnswer,
  readInteraction,
  type DiscordInput,
} from "./discord-interaction.ts";
import { waitAtMost, listener, withRetry } from "./listener.ts";
import { discordKey, isDiscordSigned, bodyOf, parsed, refused } from "./request.ts";
import { textsOf } from "./texts.ts";

interface DiscordChatOptions extends ChatContext {
  readonly commands: readonly ChatCommand[];
  readonly fetch: SafeFetch;
  /** The bot's. */
  readonly token: string;
  /** The application's, in hexadecimal. */
  readonly publicKey: string;
  /** Without a trailing slash. Default: the official one. */
  readonly apiUrl?: string | undefined;
}

/** Discord waits 3 s for the response; afterwards only a late one is possible. */
const answerMs = 2_000;
/** Discord takes further messages only after the response has arrived. */
const followMs = 1_000;

/** An application of Discord's, over its interactions endpoint. */
export function discordChat(options: DiscordChatOptions): Chat {
  const { clock } = options;
  const name = "discord";
  const key = discordKey(options.publicKey);
  const service = listener(name, options, async (signal) => {
    await register(options, signal);
    return Infinity;
  });
  return {
    name,
    start: service.start,
    stop: service.stop,
    async handle(request) {
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      if (!isDiscordSigned(request, body, { key, now: clock.wall() })) {
        return refused(401, "The signature is wrong or too old.");
      }
      const given = readInteraction(parsed(body));
      if (given === undefined) return refused(400, "The body cannot be read.");
      if (given === "ping") return Response.json({ type: 1 });
      if (!service.isOpen()) return refused(503, "Temporarily unavailable: send it again later.");
      return Response.json(await respond(given, service.inputs, options, service.signal()));
    },
  };
}

/** The answer as the response if it is ready in time; otherwise it is sent later. */
async function respond(
  given: DiscordInput,
  inputs: Conversations,
  options: DiscordChatOptions,
  signal: AbortSignal,
): Promise<DiscordAnswer["first"]> {
  const { clock } = options;
  let isLate = false;
  let first: DiscordAnswer["first"] | undefined;
  const send = async (answer: ChatAnswer): Promise<void> => {
    const response = discordAnswer(given, answer);
    const url = `/webhooks/${given.application}/${given.token}`;
    const sendLate = (request: Pick<FetchRequest, "method" | "url">, body: object) =>
      withRetry(() => call(options, { ...request, body: JSON.stringify(body) }), { clock, signal });
    if (!isLate) {
      first = response.first;
      if (response.more.length > 0) await sleep(clock, followMs, signal);
    } else if (response.first.data !== undefined) {
      await sendLate({ method: "PATCH", url: `${url}/messages/@original` }, response.first.data);
    }
    for (const each of response.more) await sendLate({ method: "POST", url }, each);
  };
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const taken = inputs.take(given.input, (answer) => {
    const done = send(answer);
    resolve();
    return done;
  });
  // A repeated interaction has no answer of its own: the end of the first one is enough.
  await waitAtMost(clock, answerMs, Promise.race([ready, taken.then(() => inputs.idle())]));
  isLate = true;
  return first ?? discordLater(given);
}

/** Registers the commands, in both languages. */
async function register(options: DiscordChatOptions, signal: AbortSignal): Promise<void> {
  const about = await call(options, { method: "GET", url: "/applications/@me", signal });
  const { id } = (parsed(about) ?? {}) as { id?: unknown };
  if (typeof id !== "string" || !/^\d+$/.test(id)) {
    throw new DaybookError(
      "unavailable",
      "The answer is not from Discord: check the API's address.",
    );
  }
  const body = JSON.stringify(options.commands.map(commandOf));
  await call(options, { method: "PUT", url: `/applications/${id}/commands`, body, signal });
}

function commandOf({ name, texts: { en, ko } }: ChatCommand): object {
  const text = {
    type: 3,
    name: textsOf("en").textOption,
    name_localizations: { ko: textsOf("ko").textOption },
    description: en.usage || en.summary,
    description_localizations: { ko: ko.usage || ko.summary },
    required: en.usage !== "" && !en.usage.startsWith("["),
  };
  return {
    name,
    type: 1,
    description: en.summary,
    description_localizations: { ko: ko.summary },
    options: name === "help" ? undefined : [text],
  };
}

/** Calls the API; answers the body of a success. */
async function call(options: DiscordChatOptions, request: FetchRequest): Promise<string> {
  const { fetch, token, apiUrl = discordApi } = options;
  const headers = present({
    authorization: `Bot ${token}`,
    "user-agent": discordAgent,
    "content-type": request.body === undefined ? undefined : "application/json",
  });
  const answer = await fetch({ ...request, url: `${apiUrl}${request.url}`, headers });
  const { status } = answer;
  const text = new TextDecoder().decode(answer.body);
  if (status >= 200 && status < 300) return text;
  const description = oneLine(redact(text, [token]), 300);
  const { retry_after: seconds } = (parsed(text) ?? {}) as { retry_after?: unknown };
  const afterMs = typeof seconds === "number" ? Math.ceil(seconds * 1_000) : undefined;
  throw new DaybookError("unavailable", `Discord answered ${status}: ${description}`, {
    details: { sent: true, status, description, afterMs },
  });
}
