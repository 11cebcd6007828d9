import type { Config } from "../config/config.ts";

const chatNames = ["telegram", "slack", "discord"] as const;
export type ChatName = (typeof chatNames)[number];

/** The configured chats, by name. */
export function chatsIn({ channels }: Config): readonly ChatName[] {
  return chatNames.filter((name) => channels[name] !== undefined);
}

/** The settings of which a chat needs one to receive messages; none: it can. */
export function missingSettings({ channels, http }: Config, name: ChatName): readonly string[] {
  const settings = channels[name];
  if (settings?.token === undefined) return [`channels.${name}.token`];
  const { telegram, slack, discord } = channels;
  if (name === "telegram") {
    const isCalled = telegram?.mode === "webhook";
    return isCalled && http.publicUrl === undefined ? ["http.publicUrl"] : [];
  }
  if (name === "discord") {
    return discord?.publicKey === undefined ? ["channels.discord.publicKey"] : [];
  }
  const isConnected = slack?.appToken !== undefined || slack?.signingSecret !== undefined;
  return isConnected ? [] : ["channels.slack.appToken", "channels.slack.signingSecret"];
}
