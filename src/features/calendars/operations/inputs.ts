import * as z from "zod";
import type { Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { permit } from "../../../platform/permit.ts";
import { zone } from "../../../time/settings.ts";
import { checkZone } from "../../../time/zone.ts";
import type { AccountOf, StoredSecret } from "../account.ts";
import type { CalendarKind } from "../kind.ts";
import { calendarSettings } from "../ports.ts";
import { type SecretInput, secretInput, storedSecret } from "../secret.ts";

const shownNames = ["nags", "schedules", "todos"] as const;

/** What can be changed later. */
export const lookInputs = {
  name: z.string().min(1).max(100).optional().describe("your name for it"),
  shows: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(
      `what it shows besides notifications, with commas between: ${shownNames.join(", ")}. Default: nothing else`,
    ),
  ended: z
    .enum(["remove", "keep"])
    .optional()
    .describe("what becomes of entries of delivered and cancelled ones. Default: remove"),
  edits: z
    .boolean()
    .optional()
    .describe("changes made in the calendar change the book. Default: false"),
  busy: z
    .boolean()
    .optional()
    .describe(
      "other people's events in it are busy time: messages that are not urgent wait until they end. Default: false",
    ),
  zone: z.string().optional().describe("the zone of its entries. Default: yours"),
  minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .optional()
    .describe("how long an entry is, in minutes. Default: 30"),
};
const look = z.object(lookInputs);
export type Look = z.output<typeof look>;

const secretWords = 'as text, which is sealed, or {"env": "NAME"}';

/** Where the calendar is, and what opens it. */
export const accountInputs = {
  url: z.string().optional().describe("caldav: the address of the server or of the calendar"),
  username: z.string().optional().describe("caldav: your name there"),
  password: secretInput.optional().describe(`caldav: the password, ${secretWords}`),
  calendar_id: z
    .string()
    .optional()
    .describe(
      "the calendar, by its id or its name. Default: for google primary; for caldav that of the URL, or the only one",
    ),
  client_id: z.string().optional().describe("google: the id of the OAuth client"),
  client_secret: secretInput.optional().describe(`google: its secret, ${secretWords}`),
  refresh_token: secretInput.optional().describe(`google: the refresh token, ${secretWords}`),
};
const given = z.object(accountInputs);

/** What a connection is asked with, besides what a person allows in a browser. */
export const connectInputs = {
  ...lookInputs,
  calendar_id: accountInputs.calendar_id.describe(
    "the calendar, by its id or its name. Default: primary",
  ),
  client_id: accountInputs.client_id.describe(
    "the id of your OAuth client. Default: that of the settings",
  ),
  client_secret: accountInputs.client_secret.describe(`its secret, ${secretWords}`),
};
type Given = z.output<typeof given>;

/** The account as it was given, before the service completes it. */
export function accountOf(
  kind: "caldav" | "google",
  input: Given,
  context: Context,
): AccountOf<typeof kind> {
  const text = (name: keyof Given): string => {
    const value = input[name];
    if (typeof value === "string") return value;
    throw new DaybookError("invalid", `A calendar of the kind ${kind} needs "${name}": give it.`);
  };
  const secret = (name: keyof Given): StoredSecret => {
    const value = input[name];
    if (value === undefined) text(name);
    return storedSecret(value as SecretInput, context);
  };
  switch (kind) {
    case "caldav": {
      const url = text("url");
      permit(url, context.use(calendarSettings).allow, "DAYBOOK_CALENDAR_ALLOW");
      const [username, password] = [text("username"), secret("password")];
      return { type: kind, url, collection: input.calendar_id ?? url, username, password };
    }
    case "google": {
      const clientSecret = input.client_secret;
      return {
        type: kind,
        calendarId: input.calendar_id ?? "primary",
        clientId: text("client_id"),
        ...(clientSecret !== undefined && { clientSecret: storedSecret(clientSecret, context) }),
        refreshToken: secret("refresh_token"),
      };
    }
  }
}

type Settings = Pick<
  CalendarKind["body"],
  "name" | "shows" | "ended" | "editsFlowBack" | "isBusy" | "entries"
>;

/** The settings after a request; what it leaves out stays. */
export function settingsAfter(before: Settings, request: Look): Settings {
  const { name, shows, ended, edits, busy, zone: place, minutes } = request;
  const inZone = place === undefined ? before.entries.zone : zone.parse(checkZone(place));
  return {
    name: name ?? before.name,
    shows: shows === undefined ? before.shows : readShows(shows),
    ended: ended ?? before.ended,
    editsFlowBack: edits ?? before.editsFlowBack,
    isBusy: busy ?? before.isBusy,
    entries: {
      ...(inZone !== undefined && { zone: inZone }),
      minutes: minutes ?? before.entries.minutes,
    },
  };
}

function readShows(given: string | readonly string[]): Settings["shows"] {
  const list = typeof given === "string" ? given.split(",") : given;
  const names = list.map((each) => each.trim()).filter((each) => each !== "");
  return shownNames.filter((each) => {
    const wrong = names.find((name) => !shownNames.some((known) => known === name));
    if (wrong === undefined) return names.includes(each);
    const sentence = `A calendar cannot show ${JSON.stringify(wrong)}: choose from ${shownNames.join(", ")}.`;
    throw new DaybookError("invalid", sentence);
  });
}
