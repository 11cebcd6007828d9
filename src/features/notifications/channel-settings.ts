import * as z from "zod";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { httpUrl, secret, secretForms, urlForm, variable } from "../../platform/settings/forms.ts";
import { programPath } from "../../platform/settings/paths.ts";
import { discord, email, slack, telegram } from "./chat-settings.ts";

const ntfy = z.strictObject({
  server: httpUrl.default("https://ntfy.sh").register(about, {
    summary: "The ntfy server.",
    write: urlForm,
  }),
  token: secret.exactOptional().register(about, {
    summary: "The access token, for a server that wants one.",
    write: secretForms,
    isSecret: true,
  }),
});

const webhook = z.strictObject({
  allow: z
    .array(z.string().regex(/^[^\s/@,]+$/))
    .default([])
    .register(about, {
      summary: "Hosts that may be asked although they are private or speak plain http.",
      write: "a list of hosts like [intranet.example.org, 10.0.0.7:8080]",
      env: "DAYBOOK_WEBHOOK_ALLOW",
    }),
});

const programEntry = z.strictObject({
  command: z.array(z.string().min(1)).min(1).register(about, {
    summary: "The program and its arguments; one that starts with ./ is beside this file.",
    write: "a list like [./say.sh, loud]",
    path: programPath,
  }),
  env: z.array(variable).default([]).register(about, {
    summary: "Variables of the daemon that it gets to see.",
    write: "a list of variable names like [PATH, LANG]",
  }),
  // Below the time that a send may take at all: what it says must still be heard.
  timeoutSeconds: z.number().min(1).max(25).default(20).register(about, {
    summary: "After this long it is ended.",
    write: "a number from 1 to 25",
  }),
});

const program = programEntry.transform(({ timeoutSeconds, ...one }) => {
  return { ...one, timeoutMs: timeoutSeconds * 1_000 };
});

const desktop = z.strictObject({
  inbox: z.array(z.string().min(1)).default([]).register(about, {
    summary:
      "Owners whose inbox pops up there too; what does stays unread until somebody reads it.",
    write: "a list of owners like [me]",
    needsRestart: true,
  }),
});

const needsRestart = true;

/** How things are said. */
const channelEntries = z.strictObject({
  ntfy: ntfy.exactOptional().register(about, { summary: "Phones, through ntfy." }),
  webhook: webhook.prefault({}).register(about, { summary: "URLs that messages are posted to." }),
  desktop: desktop
    .exactOptional()
    .register(about, { summary: "Pop-ups where the daemon runs.", write: "{} to have it" }),
  exec: z
    .record(z.string().regex(/^[\w.-]{1,100}$/), program)
    .prefault({})
    .register(about, {
      summary: "Programs of yours that say a message, by name: the target exec:NAME.",
      write: "a name of letters, digits, dots and dashes, and what belongs to it under it",
    }),
  telegram: telegram
    .exactOptional()
    .register(about, { summary: "A bot of Telegram.", write: "its token under it", needsRestart }),
  slack: slack
    .exactOptional()
    .register(about, { summary: "An app of Slack.", write: "its token under it", needsRestart }),
  discord: discord.exactOptional().register(about, {
    summary: "An application of Discord.",
    write: "its token under it",
    needsRestart,
  }),
  email: email.exactOptional().register(about, {
    summary: "Mails, through a server that takes them.",
    write: "from and url under it",
    needsRestart,
  }),
});

export const channels = channelEntries.transform(({ slack: set, ...others }) => {
  return present({ ...others, slack: set?.app, defaultTarget: set?.defaultTarget ?? null });
});
