import type { Chat, ChatHandler } from "../../adapters/chats/chat.ts";
import { isOpen, inviteKind, personKind } from "../../features/accounts/index.ts";
import { isWanted, draftOf } from "../../features/events/index.ts";
import { operations } from "../../features/index.ts";
import { systemOwner } from "../../features/nodes/index.ts";
import type { EmitEvent } from "../../interfaces/chat/handler.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Installation } from "../../kernel/operation.ts";
import { messageOf } from "../../platform/errors.ts";
import { loop } from "../../platform/loop.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { group, service, type Service } from "../../platform/service.ts";
import type { Config } from "../config/config.ts";
import { self } from "../self.ts";
import { chatFetch, slackFrom, telegramFrom } from "./chat-apis.ts";

const chatNames = ["telegram", "slack", "discord"] as const;
type ChatName = (typeof chatNames)[number];

/** The chats that are set up, by name. */
export function chatsIn({ channels }: Config): readonly ChatName[] {
  return chatNames.filter((name) => channels[name] !== undefined);
}

/** The settings of which one is missing for a chat to be heard; none: it can be. */
export function chatWants({ channels, http }: Config, name: ChatName): readonly string[] {
  const settings = channels[name];
  if (settings?.token === undefined) return [`channels.${name}.token`];
  const { telegram, slack, discord } = channels;
  if (name === "telegram") {
    const isTold = telegram?.mode === "webhook";
    return isTold && http.publicUrl === undefined ? ["http.publicUrl"] : [];
  }
  if (name === "discord") {
    return discord?.publicKey === undefined ? ["channels.discord.publicKey"] : [];
  }
  const isHeard = slack?.appToken !== undefined || slack?.signingSecret !== undefined;
  return isHeard ? [] : ["channels.slack.appToken", "channels.slack.signingSecret"];
}

/** Whether anybody may speak there: by the settings, by a link, or by a code that is still good. */
export async function isWelcome(
  { channels }: Config,
  name: ChatName,
  { ledger, now }: { ledger: Ledger; now: number },
): Promise<boolean> {
  if ((channels[name]?.senders.length ?? 0) > 0) return true;
  const book = ledger.of(systemOwner, systemOwner);
  for await (const { body } of recordsIn(book, { kind: personKind, state: "active" })) {
    if (body.channel === name) return true;
  }
  for await (const invite of recordsIn(book, { kind: inviteKind, live: true })) {
    if (isOpen(invite, now)) return true;
  }
  return false;
}

interface ChatsParts {
  readonly config: Config;
  current(): Config;
  readonly installation: Installation;
  readonly platform: PlatformPorts;
}

/** The chats of a daemon. */
export interface Chats extends Service {
  /** Takes what a service tells over HTTP; nothing when no such chat is set up. */
  readonly handle: (name: string, request: Request) => Promise<Response> | undefined;
}

/** A chat is loaded when it is set up: most daemons have none. */
export async function chatsFrom(parts: ChatsParts): Promise<Chats> {
  const { config, platform } = parts;
  const complete = chatsIn(config).filter((name) => {
    const wants = chatWants(config, name);
    if (wants.length === 0) return true;
    platform.log.warn("chat.off", { channel: name, reason: `set ${wants.join(" or ")}` });
    return false;
  });
  const handler = complete.length > 0 && (await handlerFrom(parts));
  const made = handler
    ? await Promise.all(complete.map((name) => chatFrom(name, handler, parts)))
    : [];
  return {
    ...group(made.map((chat) => whenWelcome(chat, parts))),
    handle: (name, request) => made.find((chat) => chat.name === name)?.handle?.(request),
  };
}

async function handlerFrom({
  config,
  current,
  installation,
  platform,
}: ChatsParts): Promise<ChatHandler> {
  const { chatHandler } = await import("../../interfaces/chat/handler.ts");
  const { people } = await import("../../interfaces/chat/people.ts");
  const { ledger, now } = installation;
  const senders = (channel: string) =>
    chatsIn(config).flatMap((name) =>
      name === channel ? (config.channels[name]?.senders ?? []) : [],
    );
  const known = people({ ledger, now, senders }, platform.clock);
  const happened = happenedIn({ current, installation });
  return chatHandler({
    installation,
    operations,
    people: known,
    log: platform.log,
    emit: happened,
  });
}

/** What is said in a chat that is a source, as an event in the book of whoever said it. */
function happenedIn({
  current,
  installation,
}: Pick<ChatsParts, "current" | "installation">): EmitEvent {
  const { ledger, now } = installation;
  return async (event, { channel, owner, by }) => {
    const source = current().sources.find(({ kind }) => kind === channel);
    if (source === undefined || !isWanted(event, source)) return false;
    const making = { owner, home: self.owner, now: now(), source: source.name };
    await ledger.of(owner, by).append(draftOf(event, making));
    return true;
  };
}

function chatFrom(
  name: ChatName,
  handler: ChatHandler,
  { config, platform }: ChatsParts,
): Promise<MadeChat> {
  return { telegram: telegramIn, slack: slackIn, discord: discordIn }[name](
    config,
    handler,
    platform,
  );
}

type MadeChat = Omit<Chat, "name"> & { readonly name: ChatName };

async function telegramIn(
  { channels, http }: Config,
  handler: ChatHandler,
  { clock, log }: PlatformPorts,
): Promise<MadeChat> {
  const { telegramChat } = await import("../../adapters/chats/telegram.ts");
  const { token = "", api, mode, secret = "", charsMax = 4_096 } = channels.telegram ?? {};
  const url = `${http.publicUrl?.replace(/\/+$/, "")}/chats/telegram`;
  const bot = telegramFrom({ token, ...(api === undefined ? {} : { api }) }, clock);
  const told = mode === "webhook" ? { url, secret } : "polling";
  const chat = telegramChat({ api: bot, handler, log, clock, mode: told, charsMax });
  return { ...chat, name: "telegram" };
}

async function slackIn(
  { channels }: Config,
  handler: ChatHandler,
  { clock, log }: PlatformPorts,
): Promise<MadeChat> {
  const { slackChat } = await import("../../adapters/chats/slack.ts");
  const { token = "", api, appToken, signingSecret = "" } = channels.slack ?? {};
  const place = { token, ...(api === undefined ? {} : { api }) };
  const fetch = chatFetch(place, clock);
  const at = api === undefined ? {} : { apiUrl: api };
  const { slackSocket } = await import("../../adapters/chats/slack-socket.ts");
  const mode =
    appToken === undefined
      ? { signingSecret }
      : { listen: slackSocket({ appToken, fetch, ...at }) };
  const chat = slackChat({ api: slackFrom(place, clock), handler, log, clock, mode });
  return { ...chat, name: "slack" };
}

async function discordIn(
  { channels }: Config,
  handler: ChatHandler,
  { clock, log }: PlatformPorts,
): Promise<MadeChat> {
  const { discordChat } = await import("../../adapters/chats/discord.ts");
  const { token = "", api, publicKey = "" } = channels.discord ?? {};
  const at = api === undefined ? {} : { apiUrl: api };
  const fetch = chatFetch(api === undefined ? {} : { api }, clock);
  const chat = discordChat({ fetch, handler, log, clock, token, publicKey, ...at });
  return { ...chat, name: "discord" };
}

const lookMs = 2_000;

/** Starts a chat when somebody may speak there: until then, nobody is listened to. */
function whenWelcome(chat: MadeChat, { config, installation, platform }: ChatsParts): Service {
  const { name } = chat;
  const { clock, log } = platform;
  let told: string | undefined;
  const tell = (reason: string): number => {
    if (reason !== told) log.warn("chat.closed", { channel: name, reason });
    told = reason;
    return lookMs;
  };
  const around = loop({
    clock,
    async pass() {
      const { ledger, now } = installation;
      if (!(await isWelcome(config, name, { ledger, now: now() }))) {
        return tell(`nobody may speak there: run daybook link, or set channels.${name}.senders`);
      }
      await chat.start();
      return Infinity;
    },
    failed: (error) => tell(messageOf(error)),
  });
  return service({
    start: around.start,
    async stop() {
      await around.stop();
      await chat.stop();
    },
  });
}

/** The settings of the moment, but the chats as they were at the start: those need a restart. */
export function keepingChats(first: Config, current: () => Config): () => Config {
  let [seen, kept] = [first, first];
  return () => {
    const fresh = current();
    if (fresh === seen) return kept;
    const { telegram: _, slack: __, discord: ___, email: ____, ...rest } = fresh.channels;
    const { telegram, slack, discord, email } = first.channels;
    const chats = {
      ...(telegram && { telegram }),
      ...(slack && { slack }),
      ...(discord && { discord }),
      ...(email && { email }),
    };
    [seen, kept] = [fresh, { ...fresh, channels: { ...rest, ...chats } }];
    return kept;
  };
}
