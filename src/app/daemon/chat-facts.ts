import { discordAgent, discordApi } from "../../adapters/channels/discord.ts";
import type { DoctorFacts } from "../../interfaces/cli/facts.ts";
import { sleep } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import type { UseBook } from "../stores.ts";
import { chatFetch, slackFrom, telegramFrom } from "./chat-apis.ts";
import { chatsIn, missingSettings, type ChatName } from "./chat-settings.ts";
import { hasUsers } from "./chat-users.ts";

type ChatFacts = DoctorFacts["chats"][number];
/** The state of the configured chats, as far as this process can check it. */
export async function chatFacts(
  config: Config,
  platform: PlatformPorts,
  { book, isMissing }: { book: UseBook; isMissing: (name: string) => boolean },
): Promise<readonly ChatFacts[]> {
  const chats = chatsIn(config).map(async (name): Promise<ChatFacts> => {
    const missing = packagesOf(config, name).filter(isMissing);
    const hasToken = config.channels[name]?.token !== undefined;
    const isChecked = hasToken && missing.length === 0;
    return {
      name,
      missingPackages: missing,
      missingSettings: missingSettings(config, name),
      hasPeople: await book((ledger) =>
        hasUsers(config, name, { ledger, now: platform.clock.wall() }),
      ).catch(
        () => true, // a book that cannot be opened is reported by itself
      ),
      problem: isChecked ? await problemOf(config, name, platform) : null,
    };
  });
  // Mail is never received: only its package may be missing.
  const hasMail = config.channels.email === undefined || !isMissing("nodemailer");
  const mail = {
    name: "email",
    missingPackages: ["nodemailer"],
    missingSettings: [],
    hasPeople: true,
    problem: null,
  };
  return [...(await Promise.all(chats)), ...(hasMail ? [] : [mail])];
}

function packagesOf({ channels }: Config, name: ChatName): readonly string[] {
  if (name === "discord") return [];
  if (name === "telegram") return ["grammy"];
  const isSocket = channels.slack?.appToken !== undefined;
  return ["@slack/web-api", ...(isSocket ? ["@slack/socket-mode"] : [])];
}

const callMs = 5_000;

/** Why the service refuses the token; null when it accepts it. */
async function problemOf(
  { channels }: Config,
  name: ChatName,
  { clock }: PlatformPorts,
): Promise<string | null> {
  const { token = "", api } = channels[name] ?? {};
  const service = { token, api };
  const stopping = new AbortController();
  const request = {
    telegram: (signal: AbortSignal) => telegramFrom(service, clock).getMe({}, signal),
    slack: (signal: AbortSignal) => slackFrom(service, clock).authTest(signal),
    discord: async (signal: AbortSignal) => {
      const headers = { authorization: `Bot ${token}`, "user-agent": discordAgent };
      const url = `${api ?? discordApi}/applications/@me`;
      const { status } = await chatFetch(service, clock)({ url, headers, signal });
      if (status !== 200) throw new Error(`Discord answered ${status}`);
    },
  }[name];
  const done = new AbortController();
  void sleep(clock, callMs, done.signal).then(() => stopping.abort());
  try {
    await request(stopping.signal);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    done.abort();
  }
}
