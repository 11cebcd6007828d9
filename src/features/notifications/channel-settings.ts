import * as z from "zod";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, secret, secretForms, urlForm, variable } from "../../platform/settings/forms.ts";
import { programPath } from "../../platform/settings/paths.ts";
import { discord, email, slack, telegram } from "./chat-settings.ts";

const ntfy = z.strictObject({
  server: httpUrl.default("https://ntfy.sh").register(about, {
    summary: "The ntfy server. Default: https://ntfy.sh.",
    write: urlForm,
  }),
  token: secret.exactOptional().register(about, {
    summary: "The access token, if the server needs one.",
    write: secretForms,
    isSecret: true,
  }),
});

const webhook = z.strictObject({
  allow: z
    .array(z.string().regex(/^[^\s/@,]+$/))
    .default([])
    .register(about, {
      summary:
        "Hosts that may be called although they are private or use plain http. Default: none.",
      write: "a list of hosts like [intranet.example.org, 10.0.0.7:8080]",
      env: "DAYBOOK_WEBHOOK_ALLOW",
    }),
});

const programEntry = z.strictObject({
  command: z.array(z.string().min(1)).min(1).register(about, {
    summary:
      "The program and its arguments. A program that starts with ./ is in this file's folder.",
    write: "a list like [./say.sh, loud]",
    path: programPath,
  }),
  env: z.array(variable).default([]).register(about, {
    summary: "Environment variables of the daemon that it gets. Default: none.",
    write: "a list of variable names like [PATH, LANG]",
  }),
  // Shorter than any send may take, so that its report is still read.
  timeoutSeconds: z.number().min(1).max(25).default(20).register(about, {
    summary: "How many seconds it may take. Default: 20.",
    write: "a number from 1 to 25",
  }),
});

const program = programEntry.transform(({ timeoutSeconds, ...one }) => {
  return { ...one, timeoutMs: timeoutSeconds * 1_000 };
});

const desktop = z.strictObject({
  inbox: z.array(z.string().min(1)).default([]).register(about, {
    summary: "Owners whose inbox messages pop up too. They stay unread. Default: none.",
    write: "a list of owners like [me]",
    needsRestart: true,
  }),
});

const needsRestart = true;

/** The channels that messages are sent by. */
const channelEntries = z.strictObject({
  ntfy: ntfy
    .exactOptional()
    .register(about, { summary: "Push notifications to phones through ntfy." }),
  webhook: webhook.prefault({}).register(about, { summary: "URLs that messages are posted to." }),
  desktop: desktop.exactOptional().register(about, {
    summary: "Pop-ups on the computer of the daemon.",
    write: "{} to turn it on",
  }),
  exec: z
    .record(z.string().regex(/^[\w.-]{1,100}$/), program)
    .prefault({})
    .register(about, {
      summary: "Your own programs that deliver messages, by name: the target exec:NAME.",
      write: "a name of letters, digits, dots and dashes, with its keys under it",
    }),
  telegram: telegram
    .exactOptional()
    .register(about, { summary: "A Telegram bot.", write: "its token under it", needsRestart }),
  slack: slack
    .exactOptional()
    .register(about, { summary: "A Slack app.", write: "its token under it", needsRestart }),
  discord: discord.exactOptional().register(about, {
    summary: "A Discord application.",
    write: "its token under it",
    needsRestart,
  }),
  email: email.exactOptional().register(about, {
    summary: "Email through an SMTP server.",
    write: "from and url under it",
    needsRestart,
  }),
});

export const channels = channelEntries.transform(({ slack: set, ...others }) => {
  return present({ ...others, slack: set?.app, defaultTarget: set?.defaultTarget ?? null });
});
