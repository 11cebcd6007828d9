import type { Settings } from "./schema.ts";

/** Who may speak in a chat, and in whose book. */
interface Sender {
  readonly id: string;
  readonly owner: string;
}

/** The services that people speak in, as the program uses them. What has no token is set up by halves. */
export interface ChatSettings {
  telegram?: {
    token?: string;
    api?: string;
    mode: "polling" | "webhook";
    secret?: string;
    senders: readonly Sender[];
    charsMax: number;
  };
  slack?: {
    token?: string;
    api?: string;
    appToken?: string;
    signingSecret?: string;
    senders: readonly Sender[];
  };
  discord?: { token?: string; api?: string; publicKey?: string; senders: readonly Sender[] };
  email?: { from: string; url: string };
}

export function resolveChats({ channels }: Settings): ChatSettings {
  const { telegram, slack, discord, email } = channels;
  return {
    ...(telegram && {
      telegram: {
        ...texts({ token: telegram.token, secret: telegram.secret }),
        ...apiOf(telegram),
        mode: telegram.mode,
        senders: sendersOf(telegram),
        charsMax: telegram.maxMessageLength,
      },
    }),
    ...(slack &&
      !isOnlyAPlace(slack) && {
        slack: {
          ...texts({
            token: slack.token,
            appToken: slack.appToken,
            signingSecret: slack.signingSecret,
          }),
          ...apiOf(slack),
          senders: sendersOf(slack),
        },
      }),
    ...(discord && {
      discord: {
        ...texts({ token: discord.token, publicKey: discord.publicKey }),
        ...apiOf(discord),
        senders: sendersOf(discord),
      },
    }),
    ...(email && { email: { from: email.from, url: textOf(email) } }),
  };
}

/** Where work speaks is set for whoever speaks there, and sets up nobody. */
function isOnlyAPlace(slack: NonNullable<Settings["channels"]["slack"]>): boolean {
  const { defaultChannel, senders, ...rest } = slack;
  return defaultChannel !== undefined && senders.length === 0 && Object.keys(rest).length === 0;
}

/** A reference has been replaced by its secret, or loading has failed before. */
function texts<Name extends string>(
  given: Readonly<Record<Name, unknown>>,
): { [Each in Name]?: string } {
  const set = Object.entries(given).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(set) as { [Each in Name]?: string };
}

function textOf({ url }: { url: unknown }): string {
  return typeof url === "string" ? url : "";
}

/** The services' clients add a slash of their own. */
function apiOf({ api }: { api?: string }): { api?: string } {
  return api === undefined ? {} : { api: api.replace(/\/+$/, "") };
}

function sendersOf(settings: {
  senders: readonly { id: string | number; owner: string }[];
}): readonly Sender[] {
  return settings.senders.map(({ id, owner }) => ({ id: String(id), owner }));
}
