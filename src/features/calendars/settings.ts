import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import { baseUrl, secret, secretForms, urlForm } from "../../platform/settings/forms.ts";

const google = z.strictObject({
  clientId: z.string().min(1).exactOptional().register(about, {
    summary: "The id of your OAuth client at Google: docs/calendars.md.",
    write: "an id like 1234-abcd.apps.googleusercontent.com",
    env: "DAYBOOK_GOOGLE_CLIENT_ID",
  }),
  clientSecret: secret.exactOptional().register(about, {
    summary: "The secret of that client.",
    write: secretForms,
    isSecret: true,
    env: "DAYBOOK_GOOGLE_CLIENT_SECRET",
  }),
  api: baseUrl.exactOptional().register(about, {
    summary:
      "The URL of a server that stands in for Google, on this machine or listed in calendars.allow. Default: Google's.",
    write: urlForm,
    env: "DAYBOOK_GOOGLE_API",
    needsRestart: true,
  }),
});

const entry = z.strictObject({
  allow: z
    .array(z.string().regex(/^[^\s/@,]+$/))
    .default([])
    .register(about, {
      summary:
        "Hosts of calendars that may be connected to although they are private or use plain http. Default: none.",
      write: "a list of hosts like [calendar.example.org, 127.0.0.1:5232]",
      env: "DAYBOOK_CALENDAR_ALLOW",
    }),
  pollSeconds: z.number().min(5).max(86_400).default(60).register(about, {
    summary: "How often each calendar is asked for changes, in seconds. Default: 60.",
    write: "a number from 5 to 86400",
  }),
  google: google.prefault({}).register(about, { summary: "Calendars of Google." }),
});

/** The settings of calendars. */
export const calendarsEntry = entry
  .refine(({ google: { api }, allow }) => api === undefined || standsIn(URL.parse(api), allow), {
    path: ["google", "api"],
    params: { says: "names another machine: list its host in calendars.allow" },
  })
  .transform(({ pollSeconds, ...rest }) => ({
    ...rest,
    pollMs: Math.round(pollSeconds * 1_000),
  }));

/** Logins are sent there, so no other machine gets them by a setting alone. */
function standsIn(url: URL | null, allow: readonly string[]): boolean {
  const { host = "", hostname = "" } = url ?? {};
  return ["127.0.0.1", "[::1]", "localhost"].includes(hostname) || allow.includes(host);
}
