import { sleep, type Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { FetchRequest, SafeFetch } from "../../platform/fetch.ts";
import type { Log } from "../../platform/log.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";
import { discordAgent, discordApi } from "../channels/discord.ts";
import type { Chat, Hear, Told } from "./chat.ts";
import { commandNames, type CommandName } from "./command-line.ts";
import { inOrder, type Ears } from "./conversations.ts";
import {
  discordAnswer,
  discordLater,
  type DiscordAnswer,
  readInteraction,
  type DiscordHeard,
} from "./discord-interaction.ts";
import { atMost, listening, patiently } from "./polling.ts";
import { discordKey, isDiscordSigned, bodyOf, parsed, refused } from "./request.ts";
import { textsOf } from "./texts.ts";

interface DiscordChatOptions {
  readonly fetch: SafeFetch;
  readonly hear: Hear;
  readonly log: Log;
  readonly clock: Clock;
  /** The bot's. */
  readonly token: string;
  /** The application's, in hexadecimal. */
  readonly publicKey: string;
  /** Without a slash at its end; the official one unless told. */
  readonly apiUrl?: string;
}

/** Discord takes an answer within 3 s, and after that only a late one. */
const answerMs = 2_000;
/** What follows is taken only when the answer itself has arrived. */
const followMs = 1_000;

/** Hears an application of Discord by its interactions, and answers there. */
export function discordChat(options: DiscordChatOptions): Chat {
  const { hear, log, clock } = options;
  const name = "discord";
  const key = discordKey(options.publicKey);
  const ears = inOrder({ hear, log });
  const service = listening({
    name,
    clock,
    log,
    idle: ears.idle,
    async listen(signal) {
      await register(options, signal);
      return Infinity;
    },
  });
  return {
    name,
    start: service.start,
    stop: service.stop,
    async handle(request) {
      const body = await bodyOf(request);
      if (body instanceof Response) return body;
      if (!isDiscordSigned(request, body, { key, now: clock.wall() })) {
        return refused(401, "The signature is wrong, or too old.");
      }
      const told = readInteraction(parsed(body));
      if (told === undefined) return refused(400, "The body cannot be read.");
      if (told === "ping") return Response.json({ type: 1 });
      if (!service.isOpen()) return refused(503, "Not now: tell it again later.");
      return Response.json(await answered(told, { ears, options, signal: service.signal() }));
    },
  };
}

interface Answering {
  readonly ears: Ears;
  readonly options: DiscordChatOptions;
  readonly signal: AbortSignal;
}

/** The answer to the request itself if it comes in time; else it follows. */
async function answered(
  told: DiscordHeard,
  { ears, options, signal }: Answering,
): Promise<DiscordAnswer["first"]> {
  const { clock } = options;
  let isLate = false;
  let first: DiscordAnswer["first"] | undefined;
  const answer = async (given: Told): Promise<void> => {
    const made = discordAnswer(told, given);
    const url = `/webhooks/${told.application}/${told.token}`;
    const follow = (request: Pick<FetchRequest, "method" | "url">, body: object) =>
      patiently(() => call(options, { ...request, body: JSON.stringify(body) }), { clock, signal });
    if (!isLate) {
      first = made.first;
      if (made.more.length > 0) await sleep(clock, followMs, signal);
    } else if (made.first.data !== undefined) {
      await follow({ method: "PATCH", url: `${url}/messages/@original` }, made.first.data);
    }
    for (const each of made.more) await follow({ method: "POST", url }, each);
  };
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const hearing = ears.hear(told.heard, (given) => {
    const done = answer(given);
    resolve();
    return done;
  });
  // One that was heard before is answered only by having been heard.
  await atMost(clock, answerMs, Promise.race([ready, hearing.then(() => ears.idle())]));
  isLate = true;
  return first ?? discordLater(told);
}

/** The menu, in both languages. */
async function register(options: DiscordChatOptions, signal: AbortSignal): Promise<void> {
  const about = await call(options, { method: "GET", url: "/applications/@me", signal });
  const { id } = (parsed(about) ?? {}) as { id?: unknown };
  if (typeof id !== "string" || !/^\d+$/.test(id)) {
    throw new DaybookError("unavailable", "The answer is not one of Discord's: check its API.");
  }
  const body = JSON.stringify(commandNames.map(commandOf));
  await call(options, { method: "PUT", url: `/applications/${id}/commands`, body, signal });
}

function commandOf(name: CommandName): object {
  const [en, ko] = [textsOf("en"), textsOf("ko")];
  const usage = en.usage[name];
  const words = {
    type: 3,
    name: en.words,
    name_localizations: { ko: ko.words },
    description: usage || en.commands[name],
    description_localizations: { ko: ko.usage[name] || ko.commands[name] },
    required: usage !== "" && !usage.startsWith("["),
  };
  return {
    name,
    type: 1,
    description: en.commands[name],
    description_localizations: { ko: ko.commands[name] },
    ...(name === "help" ? {} : { options: [words] }),
  };
}

/** One call of the API: what it answered with success. */
async function call(options: DiscordChatOptions, request: FetchRequest): Promise<string> {
  const { fetch, token, apiUrl = discordApi } = options;
  const headers = {
    authorization: `Bot ${token}`,
    "user-agent": discordAgent,
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
  };
  const answer = await fetch({ ...request, url: `${apiUrl}${request.url}`, headers });
  const { status } = answer;
  const text = new TextDecoder().decode(answer.body);
  if (status >= 200 && status < 300) return text;
  const said = oneLine(hide(text, [token]), 300);
  const { retry_after: seconds } = (parsed(text) ?? {}) as { retry_after?: unknown };
  const rest = typeof seconds === "number" ? { afterMs: Math.ceil(seconds * 1_000) } : {};
  throw new DaybookError("unavailable", `Discord answered ${status}: ${said}`, {
    details: { sent: true, status, said, ...rest },
  });
}
