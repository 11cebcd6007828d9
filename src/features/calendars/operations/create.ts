import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { appendLimited, type OwnerLimit } from "../../../kernel/holds.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { ids } from "../../../platform/ids.ts";
import { fields } from "../../notifications/index.ts";
import type { Account } from "../account.ts";
import { feedUrl, newFeedSecret } from "../feed-address.ts";
import type { CalendarKind } from "../kind.ts";
import { connectorOf } from "../open-calendar.ts";
import { calendarConnectors, callTime } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { accountInputs, accountOf, lookInputs, settingsAfter } from "./inputs.ts";
import { calendarView, shownCalendar } from "./view.ts";

const input = z.strictObject({
  kind: z
    .enum(["ics", "caldav", "google"])
    .describe(
      "ics: a feed that other programs read; caldav, google: a calendar that is kept as the book has it",
    ),
  ...lookInputs,
  ...accountInputs,
  key: fields.key,
});
type Input = z.output<typeof input>;

const output = calendarView.extend({
  url: z
    .string()
    .nullable()
    .describe(
      "of a feed: its address, shown only in this answer. Whoever knows it can read the feed",
    ),
  fresh: z.boolean().describe("false: an earlier request with this key wrote it"),
});

const calendarLimit: OwnerLimit = {
  kind: "calendar",
  max: 10,
  plural: "calendars",
  advice: "delete one first",
};

const standard = {
  name: "",
  shows: [],
  ended: "remove",
  editsFlowBack: false,
  isBusy: false,
  entries: { minutes: 30 },
} as const;

export const createCalendar = operation({
  name: "create_calendar",
  summary: "Show the book in a calendar, and keep it as the book has it.",
  input,
  output,
  aliases: { timezone: "zone", duration_minutes: "minutes" },
  effect: "adds",
  example: { kind: "ics", name: "On my phone" },
  route: { method: "POST", path: "/v1/calendars" },
  command: { name: "calendar create", aliases: ["calendar add"], positionals: ["kind"] },
  async run(request, context): Promise<z.output<typeof output>> {
    const { account, secret } = await connected(request, context);
    const settings = settingsAfter({ ...standard, name: nameOf(account) }, request);
    const id = ids({ wall: context.now }, { bits: () => bitsOf(context) })();
    const draft: DraftOf<CalendarKind> = {
      kind: "calendar",
      id,
      body: { ...settings, account, asked: 0 },
      state: "active",
      ...(account.type !== "ics" && { wakeAt: context.now() }),
    };
    const { record, fresh } = await appendLimited(bookOf(context), {
      draft,
      limit: calendarLimit,
      owner: context.owner,
      key: request.key,
      storedKey: { name: request.key ?? "", asked: settings },
    });
    const url = secret === undefined || !fresh ? null : feedUrl(context, record.id, secret);
    return { ...shownCalendar(record), url, fresh };
  },
  render: ({ id, name, url, kind }, { language }) =>
    textsOf(language).created({ id, name, url, kind }),
});

const resolveMsMax = 30_000;

/** The account, checked against its service. */
async function connected(
  request: Input,
  context: Context,
): Promise<{ account: Account; secret?: string }> {
  const { kind } = request;
  if (kind === "ics") {
    const { secret, secretHash } = newFeedSecret(context);
    return { account: { type: kind, secretHash }, secret };
  }
  const connector = connectorOf({ type: kind }, context.use(calendarConnectors));
  const account = accountOf(kind, request, context);
  return { account: await connector.resolve(account, context.use(callTime).limit(resolveMsMax)) };
}

function nameOf(account: Account): string {
  return account.type === "caldav" ? (URL.parse(account.url)?.host ?? account.type) : account.type;
}

function bitsOf({ randomBytes }: Context): number {
  return Buffer.from(randomBytes(4)).readUInt32BE();
}
