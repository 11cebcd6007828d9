import type { Chat, ChatHandler } from "../../adapters/chats/chat.ts";
import { isWanted, draftOf } from "../../features/events/index.ts";
import { features } from "../../features/index.ts";
import type { EmitEvent } from "../../interfaces/chat/options.ts";
import type { ChatCommand } from "../../kernel/chat.ts";
import type { Installation } from "../../kernel/operation.ts";
import { present } from "../../platform/json.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { group, type Service } from "../../platform/service.ts";
import type { Config } from "../config/config.ts";
import { errorTexts } from "../error-texts.ts";
import { localCaller } from "../local-caller.ts";
import { chatFetch, slackFrom, telegramFrom } from "./chat-apis.ts";
import { chatsIn, missingSettings, type ChatName } from "./chat-settings.ts";
import { chatWithUsers } from "./chat-users.ts";

interface ChatsParts {
  readonly config: Config;
  current(): Config;
  readonly installation: Installation;
  readonly platform: PlatformPorts;
}

/** The chats of a daemon. */
export interface Chats extends Service {
  /** Handles a call of the service; undefined when no such chat is configured. */
  readonly handle: (name: string, request: Request) => Promise<Response> | undefined;
}

/** A chat is loaded when it is configured: most daemons have none. */
export async function chatsFrom(parts: ChatsParts): Promise<Chats> {
  const { config, platform } = parts;
  const complete = chatsIn(config).filter((name) => {
    const missing = missingSettings(config, name);
    if (missing.length === 0) return true;
    platform.log.warn("chat.off", { channel: name, reason: `set ${missing.join(" or ")}` });
    return false;
  });
  const bot = complete.length > 0 && (await botFrom(parts));
  const chats = bot ? await Promise.all(complete.map((name) => chatFrom(name, bot, parts))) : [];
  return {
    ...group(chats.map((chat) => chatWithUsers(chat, parts))),
    handle: (name, request) => chats.find((chat) => chat.name === name)?.handle?.(request),
  };
}

/** What every chat of the daemon answers with. */
interface Bot {
  readonly handler: ChatHandler;
  readonly commands: readonly ChatCommand[];
}

async function botFrom({ config, current, installation, platform }: ChatsParts): Promise<Bot> {
  const { chatCommands, chatParts } = await import("../../interfaces/chat/commands.ts");
  const { chatHandler } = await import("../../interfaces/chat/handler.ts");
  const { people } = await import("../../interfaces/chat/people.ts");
  const { ledger, now } = installation;
  const senders = (channel: string) =>
    chatsIn(config).flatMap((name) =>
      name === channel ? (config.channels[name]?.senders ?? []) : [],
    );
  const parts = await chatParts(features);
  const commands = chatCommands(parts);
  const handler = chatHandler({
    installation,
    parts,
    commands,
    people: people({ ledger, now, senders }, platform.clock),
    log: platform.log,
    errorsIn: errorTexts(),
    emit: emitIn({ current, installation }),
  });
  return { handler, commands };
}

/** Writes an event of a chat that is a source into the book of the person who caused it. */
function emitIn({
  current,
  installation,
}: Pick<ChatsParts, "current" | "installation">): EmitEvent {
  const { ledger, now } = installation;
  return async (event, { channel, owner, by }) => {
    const source = current().sources.find(({ kind }) => kind === channel);
    if (source === undefined || !isWanted(event, source)) return false;
    const facts = { owner, home: localCaller.owner, now: now(), source: source.name };
    await ledger.of(owner, by).append(draftOf(event, facts));
    return true;
  };
}

function chatFrom(name: ChatName, bot: Bot, { config, platform }: ChatsParts): Promise<NamedChat> {
  return { telegram: telegramIn, slack: slackIn, discord: discordIn }[name](config, bot, platform);
}

type NamedChat = Omit<Chat, "name"> & { readonly name: ChatName };

async function telegramIn(
  { channels, http }: Config,
  bot: Bot,
  { clock, log }: PlatformPorts,
): Promise<NamedChat> {
  const { telegramChat } = await import("../../adapters/chats/telegram.ts");
  const { token = "", api, mode, secret = "", charsMax = 4_096 } = channels.telegram ?? {};
  const url = `${http.publicUrl?.replace(/\/+$/, "")}/chats/telegram`;
  const telegram = telegramFrom({ token, api }, clock);
  const updates = mode === "webhook" ? { url, secret } : "polling";
  const chat = telegramChat({ ...bot, api: telegram, log, clock, mode: updates, charsMax });
  return { ...chat, name: "telegram" };
}

async function slackIn(
  { channels }: Config,
  bot: Bot,
  { clock, log }: PlatformPorts,
): Promise<NamedChat> {
  const { slackChat } = await import("../../adapters/chats/slack.ts");
  const { token = "", api, appToken, signingSecret = "" } = channels.slack ?? {};
  const service = { token, api };
  const fetch = chatFetch(service, clock);
  const { slackSocket } = await import("../../adapters/chats/slack-socket.ts");
  const mode =
    appToken === undefined
      ? { signingSecret }
      : { listen: slackSocket({ appToken, fetch, apiUrl: api }) };
  const chat = slackChat({ ...bot, api: slackFrom(service, clock), log, clock, mode });
  return { ...chat, name: "slack" };
}

async function discordIn(
  { channels }: Config,
  bot: Bot,
  { clock, log }: PlatformPorts,
): Promise<NamedChat> {
  const { discordChat } = await import("../../adapters/chats/discord.ts");
  const { token = "", api, publicKey = "" } = channels.discord ?? {};
  const fetch = chatFetch({ api }, clock);
  const chat = discordChat({ ...bot, fetch, log, clock, token, publicKey, apiUrl: api });
  return { ...chat, name: "discord" };
}

/** The current settings, but the chats as they were at the start: those need a restart. */
export function withFirstChats(first: Config, current: () => Config): () => Config {
  let [seen, kept] = [first, first];
  return () => {
    const fresh = current();
    if (fresh === seen) return kept;
    const { telegram: _, slack: __, discord: ___, email: ____, ...rest } = fresh.channels;
    const { telegram, slack, discord, email } = first.channels;
    const chats = present({ telegram, slack, discord, email });
    [seen, kept] = [fresh, { ...fresh, channels: { ...rest, ...chats } }];
    return kept;
  };
}
