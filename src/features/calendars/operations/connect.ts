import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import type { AccountOf } from "../account.ts";
import {
  beginConnection,
  codeAt,
  connectAgain,
  type Pending,
  pendingAt,
  refused,
} from "../connection.ts";
import { type CalendarKind, calendarKind } from "../kind.ts";
import { connectorOf } from "../open-calendar.ts";
import {
  calendarConnectors,
  callTime,
  type GoogleConsent,
  googleConsent,
  type GoogleGrant,
} from "../ports.ts";
import { openSecret, storedSecret } from "../secret.ts";
import { textsOf } from "../texts.ts";
import { editedCalendar } from "./calendars.ts";
import { createCalendar } from "./create.ts";
import { accountOf, connectInputs, settingsAfter } from "./inputs.ts";
import { calendarView, shownCalendar } from "./view.ts";

/** Where the browser comes back to, on this installation. */
export const callbackPath = "/calendars/google/callback";

export const connectCalendar = operation({
  name: "connect_calendar",
  summary: "Begin to connect a calendar of Google: open the answered page in a browser.",
  input: z.strictObject({
    kind: z.enum(["google"]).describe("the service"),
    ...connectInputs,
    redirect_uri: z
      .string()
      .optional()
      .describe(
        "where the browser comes back to: an address of this machine, such as http://127.0.0.1:8123/. Default: the daemon",
      ),
  }),
  output: z.object({
    url: z.string().describe("the page on which a person allows the access"),
    redirect_uri: z.string(),
    expires_at: z.string().meta({ format: "date-time" }),
  }),
  aliases: { timezone: "zone", duration_minutes: "minutes", calendar: "calendar_id" },
  example: { kind: "google", redirect_uri: "http://127.0.0.1:8123/connected" },
  route: { method: "POST", path: "/v1/calendars/connect" },
  command: { name: "calendar connect", aliases: ["calendars connect"], positionals: ["kind"] },
  tool: "never",
  async run({ redirect_uri: given, ...input }, context) {
    const { kind: _kind, ...asked } = input;
    const consent = consentIn(context);
    const redirectUri = redirectFor(given, context);
    const request = { ...asked, ...clientFor(asked, consent) };
    // Refused now, not after a person has allowed it.
    if (request.client_secret !== undefined) storedSecret(request.client_secret, context);
    const { state, challenge, until } = beginConnection(context, { request, redirectUri }, context);
    const url = consent.page({ clientId: request.client_id, redirectUri, state, challenge });
    return { url, redirect_uri: redirectUri, expires_at: isoOf(until) };
  },
  render: ({ url }, { language }) => textsOf(language).connectPage({ url }),
});

export const finishCalendar = operation({
  name: "finish_calendar",
  summary: "Finish connecting a calendar, with the address that the browser came back to.",
  input: z.strictObject({
    address: z
      .string()
      .max(8_000)
      .describe("the whole address in the browser, also where it shows an error"),
  }),
  output: calendarView.extend({
    granted: z.array(z.string()).describe("what was allowed at Google"),
    renewed: z.boolean().describe("true: the calendar was there, and has a new login"),
  }),
  example: { address: "http://127.0.0.1:8123/connected?state=AX2kQ9&code=4/0AeaYSHB" },
  route: { method: "POST", path: "/v1/calendars/connect/finish" },
  command: { name: "calendar finish", aliases: ["calendars finish"], positionals: ["address"] },
  tool: "never",
  async run({ address }, context) {
    const pending = pendingAt(address, context);
    if (pending.owner !== context.owner) {
      throw refused(`Somebody else began this connection: ${connectAgain}.`);
    }
    const code = codeAt(address, pending, context.now());
    const { refreshToken, scopes } = await granted(code, pending, context);
    const input = { ...pending.request, refresh_token: refreshToken };
    const before = await connectedBefore(input, context);
    const made = before ?? (await createCalendar.run({ ...input, kind: "google" }, context));
    const view = calendarView.parse(made);
    return { ...view, granted: [...scopes], renewed: before !== undefined };
  },
  render: (connected, { language }) => textsOf(language).connected(connected),
});

type Asked = z.output<typeof finishInput>;
const finishInput = z.strictObject({ ...connectInputs, refresh_token: z.string() });

function consentIn(context: Context): GoogleConsent {
  const consent = context.use(googleConsent);
  if (consent !== undefined) return consent;
  throw new DaybookError(
    "unsupported",
    "Calendars of Google cannot be connected here: use a daemon.",
  );
}

/** The OAuth client: as it was given, else that of the settings, whose secret is kept with the calendar. */
function clientFor(
  { client_id: id, client_secret: secret }: Pick<Asked, "client_id" | "client_secret">,
  { client }: GoogleConsent,
): Pick<Pending["request"], "client_id" | "client_secret"> {
  if (id !== undefined) return present({ client_id: id, client_secret: secret });
  if (client !== undefined) {
    return present({ client_id: client.clientId, client_secret: secret ?? client.clientSecret });
  }
  const sentence =
    "Google must know Daybook first: make an OAuth client there (docs/calendars.md), and set calendars.google.clientId and clientSecret, or give --client-id and --client-secret.";
  throw new DaybookError("invalid", sentence);
}

/** A code must come back to whoever began: to a program on the same machine, or to this installation. */
function redirectFor(given: string | undefined, { baseUrl }: Context): string {
  const own = ownRedirect(baseUrl?.() ?? "");
  if (given === undefined && own !== undefined) return own;
  if (given === undefined) {
    const sentence =
      'This book has no address that a browser could come back to: give "redirect_uri".';
    throw new DaybookError("invalid", sentence);
  }
  const { protocol, hostname } = URL.parse(given) ?? {};
  const isLocal = protocol === "http:" && ["127.0.0.1", "[::1]"].includes(hostname ?? "");
  if (isLocal || given === own) return given;
  const sentence =
    '"redirect_uri" must be an address of this machine, such as http://127.0.0.1:8123/.';
  throw new DaybookError("invalid", sentence);
}

function ownRedirect(base: string): string | undefined {
  const url = URL.parse(`${base.replace(/\/$/, "")}${callbackPath}`);
  // A server that listens on every address is reached by this one, which Google allows.
  if (url?.hostname === "0.0.0.0" || url?.hostname === "[::]") url.hostname = "127.0.0.1";
  return url?.href;
}

const callMs = 30_000;

/** Exchanges the code for a login that lasts. */
async function granted(
  code: string,
  { request, redirectUri, verifier }: Pending,
  context: Context,
): Promise<Required<GoogleGrant> & { readonly refreshToken: string }> {
  const { client_id: clientId, client_secret: given } = request;
  const clientSecret =
    typeof given === "object" ? openSecret(storedSecret(given, context), context) : given;
  const asked = { client: { clientId, clientSecret }, code, redirectUri, verifier };
  const grant = await consentIn(context)
    .redeem(asked, context.use(callTime).limit(callMs))
    .catch((error: unknown) => {
      const isUsed = hasCode(error, "refused") && error.details["reason"] === "invalid_grant";
      if (!isUsed) throw error;
      const sentence = `Google takes the answer of a person only once, and for a few minutes: ${connectAgain}.`;
      throw refused(sentence, error);
    });
  const { refreshToken, canWrite } = grant;
  if (!canWrite) {
    const sentence = `You did not allow Daybook to change events: ${connectAgain}, and tick all that it asks for.`;
    throw refused(sentence);
  }
  if (refreshToken !== undefined) return { ...grant, refreshToken };
  const page = "https://myaccount.google.com/connections";
  throw refused(
    `Google gave no login that lasts: remove the access of your OAuth client at ${page}, then ${connectAgain}.`,
  );
}

/** A calendar that is connected again keeps its entries: it gets the new login. */
async function connectedBefore(
  input: Asked,
  context: Context,
): Promise<ReturnType<typeof shownCalendar> | undefined> {
  const connector = connectorOf({ type: "google" }, context.use(calendarConnectors));
  const account = await connector.resolve(
    accountOf("google", input, context),
    context.use(callTime).limit(callMs),
  );
  const request = { kind: calendarKind, live: true };
  let active: LedgerRecord<CalendarKind> | undefined;
  for await (const { id, body } of recordsIn(bookOf(context), request)) {
    const isSame =
      body.account.type === "google" &&
      body.account.calendarId === (account as AccountOf<"google">).calendarId;
    if (!isSame) continue;
    const edited = await editedCalendar(id, context, (record) => ({
      ...record.body,
      ...settingsAfter(record.body, input),
      account,
    }));
    // One that is being deleted needs the new login too, to remove its entries.
    if (body.leaving === undefined) active = edited;
  }
  return active && shownCalendar(active);
}
