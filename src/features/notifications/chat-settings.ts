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
      summary: "The person's id at the service.",
      write: 'an id in quotes like "123456"',
    }),
    owner: ownerName
      .refine((name) => name !== systemOwner, {
        params: {
          says: `is "${systemOwner}", which is reserved for the system: write another owner`,
        },
      })
      .register(about, {
        summary: "The owner whose book the person uses.",
        write: "an owner like me",
      }),
  })
  .transform(({ id, owner }) => ({ id: String(id), owner }));

function messagesMax() {
  return z.int().min(1).max(100).default(20).register(about, {
    summary: "The most messages of one long text; a longer one is sent as a file. Default: 20.",
    write: "a whole number from 1 to 100",
    needsRestart,
  });
}

function senders() {
  return z.array(sender).prefault([]).register(about, {
    summary:
      "People who may use the chat, and their owners. Others join with a code of daybook person invite.",
    write: 'a list like [{ id: "123456", owner: me }]',
    needsRestart,
  });
}

export const telegram = z
  .strictObject({
    token: hidden("The bot's token, from @BotFather.", "DAYBOOK_TELEGRAM_TOKEN"),
    api: apiOf("The URL of the Bot API. Default: the official one.", "DAYBOOK_TELEGRAM_API"),
    mode: z.enum(["polling", "webhook"]).default("polling").register(about, {
      summary:
        "How updates arrive: the daemon polls, or Telegram calls http.publicUrl. Default: polling.",
      write: '"polling" or "webhook"',
      needsRestart,
    }),
    secret: hidden("The secret that Telegram sends with each call, for the mode webhook."),
    senders: senders(),
    maxMessages: messagesMax(),
    maxMessageLength: z.int().min(256).max(4_096).default(4_096).register(about, {
      summary: "The longest message in characters; a longer text is sent in parts. Default: 4096.",
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
  api: apiOf("The URL of the Web API. Default: the official one.", "DAYBOOK_SLACK_API"),
  appToken: hidden("The app-level token, to receive events over a socket: xapp-…"),
  signingSecret: hidden("The secret that signs Slack's calls to http.publicUrl."),
  senders: senders(),
  maxMessages: messagesMax(),
  defaultChannel: channel.exactOptional().register(about, {
    summary: "Where results of handlers are sent when no chat requested the work.",
    write: "a Slack channel like C0123456789",
    env: "SLACK_DEFAULT_CHANNEL",
  }),
});

/** A default channel by itself does not set up the app. */
export const slack = slackEntry.transform(({ defaultChannel: defaultTarget, ...app }) => {
  const { senders, maxMessages: _, ...rest } = app;
  const isApp = senders.length > 0 || Object.keys(rest).length > 0 || defaultTarget === undefined;
  return present({ app: isApp ? app : undefined, defaultTarget });
});

export const discord = z.strictObject({
  token: hidden("The bot's token.", "DAYBOOK_DISCORD_TOKEN"),
  api: apiOf("The URL of the API with its version. Default: the official one."),
  publicKey: z
    .string()
    .regex(/^[\da-f]{64}$/i)
    .exactOptional()
    .register(about, {
      summary: "The application's public key, which verifies Discord's calls to http.publicUrl.",
      write: "the 64 hexadecimal digits that the application's page shows, in quotes",
      needsRestart,
    }),
  senders: senders(),
  maxMessages: messagesMax(),
});

export const email = z.strictObject({
  from: z
    .string()
    .regex(/^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u)
    .register(about, {
      summary: "The sender address.",
      write: "an address like Daybook <daybook@example.org>",
      needsRestart,
    }),
  url: z
    .union([z.string().refine(isMailServer), ...reference])
    .transform(textOf)
    .register(about, {
      summary: "The SMTP server.",
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
