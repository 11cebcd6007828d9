import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import type { DiscordMessage } from "./discord-world.ts";

export const applicationId = "900000000000000001";
export const botUser = { id: applicationId, username: "daybook", discriminator: "0", bot: true };

export interface DiscordUser {
  readonly id: string;
  readonly username: string;
}

/** The keys of an application: Discord's secret key, and the public key. */
export function discordKeys(): { readonly secret: KeyObject; readonly publicKey: string } {
  const { publicKey, privateKey: secret } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return { secret, publicKey: Buffer.from(x, "base64url").toString("hex") };
}

/** An interaction as Discord posts it, signed. `at`: UTC epoch milliseconds. */
export function signedInteraction(
  interaction: object,
  { secret, at }: { secret: KeyObject; at: number },
): Request {
  const body = JSON.stringify(interaction);
  const seconds = `${Math.floor(at / 1_000)}`;
  const signature = sign(null, Buffer.from(`${seconds}${body}`), secret).toString("hex");
  return new Request("https://app.example/discord", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Discord-Interactions/1.0 (+https://discord.com)",
      "x-signature-ed25519": signature,
      "x-signature-timestamp": seconds,
    },
    body,
  });
}

interface Done {
  readonly id: string;
  readonly token: string;
  readonly channel: string;
  readonly from: DiscordUser;
  readonly locale?: string;
}

/** The interaction of a typed command, with its options by name. */
export function typed(done: Done, name: string, options: Readonly<Record<string, string>>): object {
  const given = Object.entries(options).map(([name, value]) => ({ name, type: 3, value }));
  const data = {
    id: "800000000000000001",
    name,
    type: 1,
    ...(given.length === 0 ? {} : { options: given }),
  };
  return { ...interaction(done), type: 2, data };
}

/** The interaction of a pressed button. */
export function pressed(done: Done, message: DiscordMessage, data: string): object {
  if (!message.buttons.some((button) => button.data === data)) {
    throw new Error(`message ${message.id} has no button ${data}`);
  }
  return {
    ...interaction(done),
    type: 3,
    message: sentMessage(message),
    data: { component_type: 2, custom_id: data, id: 2 },
  };
}

function interaction({ id, token, channel, from, locale = "en-US" }: Done): object {
  const user = { ...from, discriminator: "0", global_name: from.username, avatar: null };
  return {
    id,
    application_id: applicationId,
    token,
    version: 1,
    guild_id: "700000000000000001",
    channel_id: channel,
    channel: { id: channel, type: 0 },
    member: { user, roles: [], permissions: "0", joined_at: "2026-01-01T00:00:00Z" },
    locale,
    app_permissions: "0",
    entitlements: [],
    authorizing_integration_owners: { "0": "700000000000000001" },
    context: 0,
  };
}

/** A message of the bot, as it is in answers and payloads. */
export function sentMessage(message: DiscordMessage): object {
  const { id, channel, content, buttons, nonce, isPrivate, before } = message;
  const components = buttons.map(({ text, data }) => ({
    type: 2,
    style: 2,
    label: text,
    custom_id: data,
  }));
  return {
    id,
    type: 0,
    channel_id: channel,
    author: botUser,
    content,
    components: buttons.length === 0 ? [] : [{ type: 1, components }],
    timestamp: "2027-01-15T08:00:00.000000+00:00",
    edited_timestamp: before.length === 0 ? null : "2027-01-15T08:00:01.000000+00:00",
    flags: isPrivate ? 64 : 0,
    mentions: [],
    mention_everyone: false,
    embeds: [],
    attachments: [],
    ...(nonce === undefined ? {} : { nonce }),
  };
}
