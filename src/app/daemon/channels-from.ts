import { desktop } from "../../adapters/channels/desktop.ts";
import { exec } from "../../adapters/channels/exec.ts";
import { type WebhookTarget, webhook } from "../../adapters/channels/webhook.ts";
import { systemOwner } from "../../features/nodes/index.ts";
import {
  unmarked,
  type Channel,
  slackThread,
  telegramThread,
  webhookKind,
} from "../../features/notifications/index.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { parseTarget } from "../../kernel/target.ts";
import { childProcess } from "../../platform/child-process.ts";
import { safeFetch, type SafeFetch } from "../../platform/fetch.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { picked, type Environment } from "../config/environment.ts";
import { chatFetch, slackFrom, telegramFrom, type ChatService } from "./chat-apis.ts";

/** Channels that the settings can add and remove while a daemon runs. */
const names = ["webhook", "ntfy", "desktop", "exec", "telegram", "slack", "discord", "email"];

/** Those that take the output of a run of any length. */
const long = ["telegram", "slack", "discord", "email"];

/** The channels of the settings: each message is sent by those of its moment. */
export function channelsFrom(
  current: () => Config["channels"],
  ledger: Ledger,
  platform: PlatformPorts,
  env: Environment,
): readonly Channel[] {
  let config = current();
  let channels = channelsOf(config, ledger, platform, env);
  const find = (name: string): Channel | undefined => {
    if (current() !== config) {
      config = current();
      channels = channelsOf(config, ledger, platform, env);
    }
    return channels.find((channel) => channel.name === name);
  };
  return names.map((name) => ({
    name,
    takesLong: long.includes(name),
    send(message, attempt) {
      const reason = `no channel "${name}" is configured here`;
      return find(name)?.send(message, attempt) ?? Promise.resolve({ result: "rejected", reason });
    },
    threadOf: (address, receipt) => find(name)?.threadOf?.(address, receipt),
    mark: (mark, attempt) => find(name)?.mark?.(mark, attempt) ?? Promise.resolve(unmarked),
  }));
}

function channelsOf(
  config: Config["channels"],
  ledger: Ledger,
  { clock }: PlatformPorts,
  env: Environment,
): readonly Channel[] {
  const now = (): number => clock.wall();
  const spawn = childProcess({ clock });
  const fetchFrom = (allowHosts: readonly string[]): SafeFetch =>
    safeFetch({ clock, timeoutMs: 20_000, bytesMax: 64 * 1_024, allowHosts });
  const find = async (owner: string, id: string): Promise<WebhookTarget | undefined> => {
    const record = await ledger.of(owner, systemOwner).get(id);
    return is(webhookKind, record) && record.endedAt === null ? record.body : undefined;
  };
  const programs = Object.entries(config.exec).map(([name, { command, env: names, timeoutMs }]) => {
    const [file = "", ...args] = command;
    const given = picked(env, names);
    return exec({ name, command: [file, ...args], spawn, timeoutMs, secrets: given });
  });
  return [
    webhook({ fetch: fetchFrom(config.webhook.allow), find, now }),
    ...(config.ntfy === undefined ? [] : [ntfyOver(config.ntfy, fetchFrom, now)]),
    ...(config.desktop === undefined ? [] : [desktop({ spawn, ...desktopFrom(env) })]),
    ...(programs.length === 0 ? [] : [byName(programs)]),
    ...chatsOf(config, clock),
  ];
}

/** The channels of chats, and email. A chat without a token sends nothing. */
function chatsOf(config: Config["channels"], clock: PlatformPorts["clock"]): readonly Channel[] {
  const { telegram: bot, slack: app, discord: application, email: mail } = config;
  return [
    ...(hasToken(bot) ? [telegramOver(bot, clock)] : []),
    ...(hasToken(app) ? [slackOver(app, clock)] : []),
    ...(hasToken(application) ? [onUse("discord", () => discordFrom(application, clock))] : []),
    ...(mail === undefined ? [] : [onUse("email", () => emailFrom(mail))]),
  ];
}

/** A channel that is loaded for its first message, because most daemons never use it. */
function onUse(name: string, load: () => Promise<Channel>): Channel {
  let loading: Promise<Channel> | undefined;
  const loaded = (): Promise<Channel> => (loading ??= load());
  return {
    name,
    send: async (message, attempt) => (await loaded()).send(message, attempt),
    mark: async (mark, attempt) => (await (await loaded()).mark?.(mark, attempt)) ?? unmarked,
  };
}

type LimitedService = ChatService & { readonly maxMessages: number };

function telegramOver(
  service: ChatService & { charsMax: number; maxMessages: number },
  clock: PlatformPorts["clock"],
): Channel {
  const channel = onUse("telegram", async () => {
    const { telegram } = await import("../../adapters/channels/telegram.ts");
    const { charsMax, maxMessages: messagesMax } = service;
    return telegram({ api: telegramFrom(service, clock), charsMax, messagesMax });
  });
  return { ...channel, threadOf: telegramThread };
}

function slackOver(service: LimitedService, clock: PlatformPorts["clock"]): Channel {
  const channel = onUse("slack", async () => {
    const { slack } = await import("../../adapters/channels/slack.ts");
    return slack({ api: slackFrom(service, clock), messagesMax: service.maxMessages });
  });
  return { ...channel, threadOf: slackThread };
}

function hasToken<Settings extends { token?: string | undefined }>(
  settings: Settings | undefined,
): settings is Settings & { token: string } {
  return settings?.token !== undefined;
}

async function discordFrom(
  service: LimitedService,
  clock: PlatformPorts["clock"],
): Promise<Channel> {
  const { discord } = await import("../../adapters/channels/discord.ts");
  const { token, api: apiUrl, maxMessages: messagesMax } = service;
  const fetch = chatFetch(service, clock);
  return discord({ token, apiUrl, fetch, messagesMax, now: () => clock.wall() });
}

async function emailFrom({
  from,
  url,
}: NonNullable<Config["channels"]["email"]>): Promise<Channel> {
  const { email } = await import("../../adapters/channels/email.ts");
  const { smtp } = await import("../../adapters/channels/smtp.ts");
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? "localhost";
  return email({ transport: smtp({ url }), from, domain });
}

function ntfyOver(
  { server, token }: NonNullable<Config["channels"]["ntfy"]>,
  fetchFrom: (allowHosts: readonly string[]) => SafeFetch,
  now: () => number,
): Channel {
  // The host of a configured server is allowed, also if it is private.
  const fetch = fetchFrom([new URL(server).host]);
  return onUse("ntfy", async () => {
    const { ntfy } = await import("../../adapters/channels/ntfy.ts");
    return ntfy({ fetch, now, server, token });
  });
}

function desktopFrom(env: Environment): { platform: string; env: Record<string, string> } {
  const names = ["PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];
  const wanted = [...names, "XDG_RUNTIME_DIR"];
  const { platform } = process;
  return { platform, env: picked(env, wanted) };
}

/** The program with the name in `exec:NAME` sends the message. */
function byName(programs: readonly Channel[]): Channel {
  const configured = new Map(programs.map((program) => [program.name, program]));
  return {
    name: "exec",
    send(message, attempt) {
      const { address } = parseTarget(`exec:${message.address}`);
      const reason = `no program "${address}" is configured here`;
      return (
        configured.get(address)?.send(message, attempt) ??
        Promise.resolve({ result: "rejected", reason })
      );
    },
  };
}
