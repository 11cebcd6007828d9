import * as z from "zod";
import { parseTarget } from "../../kernel/target.ts";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import {
  baseUrl,
  ownerName,
  reference,
  secret,
  secretForms,
  textOf,
  urlForm,
} from "../../platform/settings/forms.ts";
import { slackAddress } from "../accounts/index.ts";
import { systemOwner } from "../nodes/index.ts";

/** A channel of Slack by its id, or any target; it becomes a target. */
export const channel = z
  .string()
  .refine((text) => {
    try {
      return text.includes(":") ? parseTarget(text).channel !== "" : slackAddress(text).channel;
    } catch {
      return false;
    }
  })
  .transform((text) => (text.includes(":") ? text : `slack:${text}`));

const needsRestart = true;

function hidden(summary: string, env?: string) {
  const known = { summary, write: secretForms, isSecret: true, needsRestart, env };
  return secret.exactOptional().register(about, known);
}

function apiOf(summary: string, env?: string) {
  return baseUrl.exactOptional().register(about, { summary, write: urlForm, needsRestart, env });
}

const sender = z
  .strictObject({
    // A longer number would not be read as it was written.
    id: z.union([z.string().regex(/^\S{1,200}$/), z.int()]).register(about, {
      summary: "Who, as the service knows them.",
      write: 'an id in quotes like "123456"',
    }),
    owner: ownerName
      .refine((name) => name !== systemOwner, {
        params: { says: `is "${systemOwner}", whose book nobody speaks for: write another owner` },
      })
      .register(about, { summary: "In whose book.", write: "an owner like me" }),
  })
  .transform(({ id, owner }) => ({ id: String(id), owner }));

function senders() {
  return z.array(sender).prefault([]).register(about, {
    summary: "Who may speak there, and in whose book; others join with a code of daybook link.",
    write: 'a list like [{ id: "123456", owner: me }]',
    needsRestart,
  });
}

export const telegram = z
  .strictObject({
    token: hidden("The bot's token, from @BotFather.", "DAYBOOK_TELEGRAM_TOKEN"),
    api: apiOf("The Bot API; the official one, unless said.", "DAYBOOK_TELEGRAM_API"),
    mode: z.enum(["polling", "webhook"]).default("polling").register(about, {
      summary: "Whether it asks for what happened, or is told it at http.publicUrl.",
      write: '"polling" or "webhook"',
      needsRestart,
    }),
    secret: hidden("What only Telegram and this daemon know, for the mode webhook."),
    senders: senders(),
    maxMessageLength: z.int().min(256).max(4_096).default(4_096).register(about, {
      summary: "What one message may carry; what is longer is said in parts.",
      write: "a whole number from 256 to 4096",
      needsRestart,
    }),
  })
  .refine(({ mode, secret }) => mode === "polling" || secret !== undefined, { path: ["secret"] })
  .refine(({ mode, secret }) => mode === "polling" || isGood(secret), {
    path: ["secret"],
    params: { says: "does not fit: write 16 to 256 letters, digits, _ or -" },
  })
  .transform(({ maxMessageLength, ...one }) => ({ ...one, charsMax: maxMessageLength }));

/** A reference that cannot be read is empty, and reported by itself. */
function isGood(secret = ""): boolean {
  return secret === "" || /^[\w-]{16,256}$/.test(secret);
}

const slackEntry = z.strictObject({
  token: hidden("The app's bot token: xoxb-…", "DAYBOOK_SLACK_TOKEN"),
  api: apiOf("The Web API; the official one, unless said.", "DAYBOOK_SLACK_API"),
  appToken: hidden("The app's own token, to listen over a socket: xapp-…"),
  signingSecret: hidden("What Slack signs with when it tells what happened at http.publicUrl."),
  senders: senders(),
  defaultChannel: channel.exactOptional().register(about, {
    summary: "Where work of handlers speaks that no chat asked for.",
    write: "a Slack channel like C0123456789",
    env: "SLACK_DEFAULT_CHANNEL",
  }),
});

/** A default channel by itself sets up no app: events name it, and people do not speak there. */
export const slack = slackEntry.transform(({ defaultChannel: defaultTarget, ...app }) => {
  const { senders, ...rest } = app;
  const isApp = senders.length > 0 || Object.keys(rest).length > 0 || defaultTarget === undefined;
  return present({ app: isApp ? app : undefined, defaultTarget });
});

export const discord = z.strictObject({
  token: hidden("The bot's token.", "DAYBOOK_DISCORD_TOKEN"),
  api: apiOf("The API with its version; the official one, unless said."),
  publicKey: z
    .string()
    .regex(/^[\da-f]{64}$/i)
    .exactOptional()
    .register(about, {
      summary:
        "The application's public key: what Discord tells at http.publicUrl is signed for it.",
      write: "the 64 hexadecimal digits that the application's page shows, in quotes",
      needsRestart,
    }),
  senders: senders(),
});

export const email = z.strictObject({
  from: z
    .string()
    .regex(/^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u)
    .register(about, {
      summary: "Who the mails are from.",
      write: "an address like Daybook <daybook@example.org>",
      needsRestart,
    }),
  url: z
    .union([z.string().refine(isMailServer), ...reference])
    .transform(textOf)
    .register(about, {
      summary: "The server that takes them.",
      write: "smtp://user:password@host:port, or smtps:// for TLS from the start",
      isSecret: true,
      needsRestart,
    }),
});

function isMailServer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return false;
  try {
    return decodeURIComponent(`${url.username}${url.password}`) !== undefined;
  } catch {
    return false;
  }
}
